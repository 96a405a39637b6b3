/** A file or folder of one revision. `oid` is Git's object id: equal ids mean equal content. */
export type TreeNode = DirectoryNode | LeafNode;

export interface DirectoryNode {
  readonly kind: 'directory';
  readonly oid: string;
  readonly children: ReadonlyMap<string, TreeNode>;
}

export interface LeafNode {
  /** A submodule is a commit of another repository; it is never followed. */
  readonly kind: 'file' | 'symlink' | 'submodule';
  readonly oid: string;
}

/** One revision of the fleet repository, with `source.path` as its root. Immutable; safe to keep. */
export interface Snapshot {
  /** The full commit id; for a working copy 'working-copy'. */
  readonly revision: string;
  readonly tree: DirectoryNode;
  /**
   * The bytes of a file. For a symlink: of the file it points to.
   * @throws FleetError GitUnavailable when the object cannot be read, ManifestInvalid when it is too large.
   */
  read(path: string): Promise<Uint8Array>;
}

/** The node at a path ('' is the root), or undefined. Never follows a link. */
export function nodeAt(tree: DirectoryNode, path: string): TreeNode | undefined {
  let node: TreeNode | undefined = tree;
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (node.kind !== 'directory') return undefined;
    node = node.children.get(part);
    if (node === undefined) return undefined;
  }
  return node;
}
