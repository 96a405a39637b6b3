import { createHash } from 'node:crypto';

import {
  type DirectoryNode,
  type LeafNode,
  nodeAt,
  type Snapshot,
  type TreeNode,
} from '../../../src/model/snapshot.ts';

/** A file's text or bytes, or a leaf that is no file. */
export type Content = string | Uint8Array | { readonly kind: 'symlink' | 'submodule' };

/** A snapshot from paths and contents, and how often each path was read. */
export function memorySnapshot(
  files: Readonly<Record<string, Content>>,
  revision = 'test',
): Snapshot & { readonly reads: string[] } {
  const reads: string[] = [];
  const contents = new Map<string, Uint8Array>();
  const tree = folderOf(files, '', contents);
  return {
    revision,
    tree,
    reads,
    read: async (path) => {
      await Promise.resolve();
      reads.push(path);
      const bytes = contents.get(path);
      if (bytes === undefined || nodeAt(tree, path)?.kind !== 'file')
        throw new Error(`${path} cannot be read`);
      return bytes;
    },
  };
}

function folderOf(
  files: Readonly<Record<string, Content>>,
  prefix: string,
  contents: Map<string, Uint8Array>,
): DirectoryNode {
  const children = new Map<string, TreeNode>();
  for (const [path, content] of Object.entries(files)) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...rest] = path.slice(prefix.length).split('/');
    if (rest.length === 0) children.set(name, leafOf(path, content, contents));
    else if (!children.has(name)) children.set(name, folderOf(files, `${prefix}${name}/`, contents));
  }
  const listing = [...children].map(([name, node]) => `${name} ${node.kind} ${node.oid}`).sort();
  return { kind: 'directory', oid: hash(listing.join('\n')), children };
}

function leafOf(path: string, content: Content, contents: Map<string, Uint8Array>): LeafNode {
  if (typeof content !== 'string' && 'kind' in content)
    return { kind: content.kind, oid: hash(content.kind) };
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  contents.set(path, bytes);
  return { kind: 'file', oid: hash(bytes) };
}

function hash(content: string | Uint8Array): string {
  return createHash('sha1').update(content).digest('hex');
}
