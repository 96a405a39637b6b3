import { baseOfGlob, compileGlob } from '../../config/generator/glob.ts';
import type { PathPatterns } from '../../config/generator/generator.ts';
import { compareText } from '../../model/object-ref.ts';
import { type DirectoryNode, type LeafNode, nodeAt, type TreeNode } from '../../model/snapshot.ts';

export interface MatchedPath<Node extends TreeNode> {
  readonly path: string;
  readonly node: Node;
}

export interface MatchedPaths<Node extends TreeNode> {
  /** Each path once, sorted. */
  readonly matches: readonly MatchedPath<Node>[];
  /** Globs that nothing matches. */
  readonly idle: readonly string[];
}

/** The folders that match. What an exclusion matches is left out with all that lies below it. */
export function matchDirectories(tree: DirectoryNode, patterns: PathPatterns): MatchedPaths<DirectoryNode> {
  return matchPaths(tree, patterns, (node): node is DirectoryNode => node.kind === 'directory');
}

/** The files that match. A link is no file, and is never followed. */
export function matchFiles(tree: DirectoryNode, patterns: PathPatterns): MatchedPaths<LeafNode> {
  return matchPaths(tree, patterns, (node): node is LeafNode => node.kind === 'file');
}

function matchPaths<Node extends TreeNode>(
  tree: DirectoryNode,
  { include, exclude }: PathPatterns,
  isWanted: (node: TreeNode) => node is Node,
): MatchedPaths<Node> {
  const exclusions = exclude.map((glob) => compileGlob(glob, { dot: true }));
  const isExcluded = (path: string): boolean => exclusions.some((matches) => matches(path));
  const found = new Map<string, Node>();
  const idle: string[] = [];
  for (const glob of include) {
    let hits = 0;
    const matches = compileGlob(glob, { dot: false });
    for (const { path, node } of candidates(tree, glob, isExcluded)) {
      if (!isWanted(node) || !matches(path)) continue;
      hits++;
      found.set(path, node);
    }
    if (hits === 0) idle.push(glob);
  }
  const matches = [...found].map(([path, node]) => ({ path, node }));
  return { matches: matches.sort((a, b) => compareText(a.path, b.path)), idle };
}

/** Every node that a glob could match: not outside of its fixed beginning, and no deeper than it goes. */
function* candidates(
  tree: DirectoryNode,
  glob: string,
  isExcluded: (path: string) => boolean,
): Generator<MatchedPath<TreeNode>> {
  const base = baseOfGlob(glob);
  const start = nodeAt(tree, base);
  const parts = base.split('/');
  const above = base === '' ? [] : parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  if (start?.kind !== 'directory' || above.some(isExcluded)) return;
  const maxDepth = glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length;
  yield* below(start, base, { depth: above.length + 1, maxDepth, isExcluded });
}

interface Walk {
  /** Names in the paths of the folder's children. */
  readonly depth: number;
  readonly maxDepth: number;
  readonly isExcluded: (path: string) => boolean;
}

function* below(folder: DirectoryNode, at: string, walk: Walk): Generator<MatchedPath<TreeNode>> {
  for (const [name, node] of folder.children) {
    const path = at === '' ? name : `${at}/${name}`;
    if (walk.isExcluded(path)) continue;
    yield { path, node };
    if (node.kind === 'directory' && walk.depth < walk.maxDepth)
      yield* below(node, path, { ...walk, depth: walk.depth + 1 });
  }
}
