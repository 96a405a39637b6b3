import { compareText } from '../../model/object-ref.ts';
import type { TreeNode } from '../../model/snapshot.ts';

/** A file below a source. */
export interface ManifestEntry {
  readonly path: string;
  readonly oid: string;
}

export interface ManifestTree {
  /** Manifest files, by path. */
  readonly files: readonly ManifestEntry[];
  /** What may hold manifests and cannot be read: links that are not followed, and other repositories. */
  readonly unreadable: readonly string[];
}

const manifestName = /\.(ya?ml|json)$/i;

/** All manifest files at or below a node. A link is never followed and never passed over in silence. */
export function listManifests(node: TreeNode, path: string): ManifestTree {
  const files: ManifestEntry[] = [];
  const unreadable: string[] = [];
  const visit = (current: TreeNode, at: string): void => {
    switch (current.kind) {
      case 'directory':
        for (const [name, child] of current.children) visit(child, at === '' ? name : `${at}/${name}`);
        return;
      case 'file':
        if (manifestName.test(at)) files.push({ path: at, oid: current.oid });
        return;
      case 'symlink':
      case 'submodule':
        unreadable.push(at);
        return;
    }
  };
  visit(node, path);
  files.sort((a, b) => compareText(a.path, b.path));
  return { files, unreadable: unreadable.sort(compareText) };
}
