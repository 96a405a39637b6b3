import type { ObjectDatabase } from './object-database.ts';
import { parseCommit, parseTagTarget } from './parse-objects.ts';

/** A commit that is held, with the tree it names. */
export interface Tip {
  readonly commit: string;
  readonly tree: string;
}

const maxTagDepth = 5;

/** Two revisions are further apart than this only after a rewrite, and then a new copy is the better way, too. */
const maxForwardCommits = 5_000;

/**
 * The commit that an id stands for, an annotated tag followed, and proof that its root tree is there.
 * @throws Error when something is missing, damaged or no commit.
 */
export function readTip(objects: ObjectDatabase, oid: string): Tip {
  let current = oid;
  for (let depth = 0; depth < maxTagDepth; depth++) {
    const found = objects.read(current);
    if (found?.type === 'tag') {
      current = parseTagTarget(found.bytes) ?? '';
      continue;
    }
    const tree = found?.type === 'commit' ? parseCommit(found.bytes)?.tree : undefined;
    if (tree === undefined) throw new Error(`${oid} is no commit that is held`);
    if (objects.read(tree)?.type !== 'tree') throw new Error(`the tree of commit ${current} is missing`);
    return { commit: current, tree };
  }
  throw new Error(`${oid} is a tag of a tag of a tag`);
}

/** True when every commit from `to` back to `from` is held: the ref moved forward. */
export function leadsBack(objects: ObjectDatabase, from: string, to: string): boolean {
  const seen = new Set([to]);
  for (const commit of seen) {
    if (commit === from) return true;
    if (seen.size > maxForwardCommits) return false;
    const found = objects.read(commit);
    for (const parent of found === undefined ? [] : (parseCommit(found.bytes)?.parents ?? []))
      seen.add(parent);
  }
  return false;
}
