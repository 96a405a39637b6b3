import { createHash } from 'node:crypto';
import type { DirectoryNode, LeafNode, TreeNode } from '../../model/snapshot.ts';

/** Where the resolver looks things up. Paths are relative to the root of the repository. */
export interface LinkLookup {
  /** The node at a path, never through a link; a directory comes with all that is below it. */
  find(path: string): Promise<TreeNode | undefined>;
  /** What a link says. */
  readLink(link: LeafNode): Promise<string>;
}

export interface ResolvedTree {
  readonly tree: DirectoryNode;
  /** Why a link stayed a link, for each that did. */
  readonly reasons: ReadonlyMap<TreeNode, string>;
}

/** As many links in a row as Linux follows. */
const maxHops = 40;

/** How many files and folders links may add in all; small links can multiply without end. */
const maxLinkedNodes = 50_000;

interface Place {
  readonly parts: readonly string[];
  readonly node: TreeNode;
}

/**
 * Puts what a link points to in the link's place: a file as that file, a directory with its children. A link stays a
 * `symlink` leaf where following it is impossible or unsafe: it is absolute, leaves the repository, points to nothing,
 * or to a directory that it lies in. A directory whose links were followed gets an id of its own, made from all that is
 * in it, since its Git id says nothing about what lies behind the links.
 */
export async function resolveLinks(
  root: DirectoryNode,
  rootPath: string,
  lookup: LinkLookup,
): Promise<ResolvedTree> {
  const reasons = new Map<TreeNode, string>();
  const hasLinks = linkFinder();
  let nodesLeft = maxLinkedNodes;

  async function expand(
    directory: DirectoryNode,
    parts: readonly string[],
    inside: ReadonlySet<string>,
  ): Promise<DirectoryNode> {
    if (!hasLinks(directory)) return directory;
    const within = new Set(inside).add(parts.join('/'));
    const children = new Map<string, TreeNode>();
    // One after another: the budget for links then falls on the same ones each time.
    for (const [name, child] of directory.children) {
      children.set(name, await expandNode(child, [...parts, name], within));
    }
    return { kind: 'directory', oid: idOf(directory, children), children };
  }

  async function expandNode(
    node: TreeNode,
    parts: readonly string[],
    within: ReadonlySet<string>,
  ): Promise<TreeNode> {
    if (node.kind === 'directory') return await expand(node, parts, within);
    if (node.kind !== 'symlink') return node;
    const target = await follow(parts, lookup);
    if (typeof target === 'string') return stay(node, target);
    if (target.node.kind !== 'directory') return target.node;
    if (within.has(target.parts.join('/'))) return stay(node, 'it points to a directory that it lies in');
    nodesLeft -= countNodes(target.node, nodesLeft);
    if (nodesLeft <= 0) return stay(node, `links would add more than ${maxLinkedNodes} files`);
    return await expand(target.node, target.parts, within);
  }

  /** A node of its own, so that each place where a link stays can be told from the others. */
  function stay(link: LeafNode, reason: string): TreeNode {
    const own = { ...link };
    reasons.set(own, reason);
    return own;
  }

  const parts = rootPath.split('/').filter((part) => part !== '' && part !== '.');
  return { tree: await expand(root, parts, new Set()), reasons };
}

/** Where a link leads in the end, or why it leads nowhere. Links on the way are followed as well. */
async function follow(link: readonly string[], lookup: LinkLookup): Promise<Place | string> {
  const pending = [...link];
  const at: string[] = [];
  let hops = 0;
  let node = await lookup.find('');
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.pop() === undefined) return 'it points out of the repository';
      continue;
    }
    at.push(part);
    node = await lookup.find(at.join('/'));
    if (node === undefined) return `it points to ${[...at, ...pending].join('/')}, which does not exist`;
    if (node.kind !== 'symlink') continue;
    if (++hops > maxHops) return 'it leads in a circle of links';
    const target = await lookup.readLink(node);
    if (target.startsWith('/')) return 'it is absolute';
    at.pop();
    pending.unshift(...target.split('/'));
  }
  node = await lookup.find(at.join('/'));
  return node === undefined ? 'it points to nothing' : { parts: at, node };
}

function linkFinder(): (directory: DirectoryNode) => boolean {
  const known = new Map<DirectoryNode, boolean>();
  const hasLinks = (directory: DirectoryNode): boolean => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const found = [...directory.children.values()].some(
      (child) => child.kind === 'symlink' || (child.kind === 'directory' && hasLinks(child)),
    );
    known.set(directory, found);
    return found;
  };
  return hasLinks;
}

function countNodes(directory: DirectoryNode, limit: number): number {
  let count = 1;
  for (const child of directory.children.values()) {
    if (count > limit) return count;
    count += child.kind === 'directory' ? countNodes(child, limit - count) : 1;
  }
  return count;
}

function idOf(directory: DirectoryNode, children: ReadonlyMap<string, TreeNode>): string {
  const content = [...children].map(([name, { kind, oid }]) => [name, kind, oid]);
  return createHash('sha1')
    .update(JSON.stringify([directory.oid, content]))
    .digest('hex');
}
