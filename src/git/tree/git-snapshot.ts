import { FleetError } from '../../model/fleet-error.ts';
import { nodeAt, type Snapshot, type TreeNode } from '../../model/snapshot.ts';
import type { ResolvedTree } from './resolve-links.ts';

/** A snapshot over a resolved tree; `readBlob` brings a file's bytes by its id. */
export function createSnapshot(
  revision: string,
  { tree, reasons }: ResolvedTree,
  readBlob: (oid: string, path: string) => Promise<Uint8Array>,
): Snapshot {
  return {
    revision,
    tree,
    async read(path) {
      const node = nodeAt(tree, path);
      if (node?.kind === 'file') return await readBlob(node.oid, path);
      throw new FleetError('ManifestInvalid', `${path} cannot be read: ${explain(node, reasons)}`);
    },
  };
}

function explain(node: TreeNode | undefined, reasons: ReadonlyMap<TreeNode, string>): string {
  switch (node?.kind) {
    case undefined:
      return 'there is no such file';
    case 'directory':
      return 'it is a directory';
    case 'submodule':
      return 'it is a submodule, whose content lies in another repository';
    case 'symlink':
      return `it is a link that is not followed: ${reasons.get(node) ?? 'no reason is known'}`;
    case 'file':
      return 'no reason is known';
  }
}
