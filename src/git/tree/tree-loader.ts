import type { DirectoryNode, TreeNode } from '../../model/snapshot.ts';
import { parseTree, type TreeEntry } from '../objects/parse-objects.ts';

/** Builds directory nodes from tree objects; a directory that did not change is the same object as before. */
export interface TreeLoader {
  /** The directory with everything below it, links as they are. */
  load(oid: string, revision: string): Promise<DirectoryNode>;
  /** The node at a path below a tree, reading no more than the way to it and what lies below. */
  find(treeOid: string, path: string, revision: string): Promise<TreeNode | undefined>;
  /** Forgets all but these and what lies below them. */
  keepOnly(roots: readonly DirectoryNode[]): void;
}

type ReadTree = (oid: string, revision: string) => Promise<Uint8Array>;

/** `read` brings the bytes of a tree object. Reads of one level of a tree are asked for together. */
export function createTreeLoader(read: ReadTree): TreeLoader {
  let known = new Map<string, Promise<DirectoryNode>>();

  async function readEntries(oid: string, revision: string): Promise<TreeEntry[]> {
    return parseTree(await read(oid, revision), oid.length / 2);
  }

  function load(oid: string, revision: string): Promise<DirectoryNode> {
    const found = known.get(oid);
    if (found !== undefined) return found;
    const loading = build(oid, revision);
    known.set(oid, loading);
    loading.catch(() => known.delete(oid));
    return loading;
  }

  async function build(oid: string, revision: string): Promise<DirectoryNode> {
    const entries = await readEntries(oid, revision);
    const nodes = await Promise.all(
      entries.map(async (entry) => [entry.name, await toNode(entry, revision)] as const),
    );
    return { kind: 'directory', oid, children: new Map(nodes) };
  }

  async function toNode(entry: TreeEntry, revision: string): Promise<TreeNode> {
    switch (entry.mode) {
      case '40000':
        return load(entry.oid, revision);
      case '120000':
        return { kind: 'symlink', oid: entry.oid };
      case '160000':
        return { kind: 'submodule', oid: entry.oid };
      default:
        return { kind: 'file', oid: entry.oid };
    }
  }

  return {
    load,
    async find(treeOid, path, revision) {
      const parts = path.split('/').filter((part) => part !== '' && part !== '.');
      let oid = treeOid;
      for (const [depth, part] of parts.entries()) {
        const entry = (await readEntries(oid, revision)).find(({ name }) => name === part);
        if (entry === undefined) return undefined;
        if (depth === parts.length - 1) return await toNode(entry, revision);
        if (entry.mode !== '40000') return undefined;
        oid = entry.oid;
      }
      return await load(oid, revision);
    },
    keepOnly(roots) {
      const kept = new Map<string, Promise<DirectoryNode>>();
      const visit = (node: DirectoryNode): void => {
        if (kept.has(node.oid)) return;
        kept.set(node.oid, Promise.resolve(node));
        for (const child of node.children.values()) if (child.kind === 'directory') visit(child);
      };
      for (const root of roots) visit(root);
      known = kept;
    },
  };
}
