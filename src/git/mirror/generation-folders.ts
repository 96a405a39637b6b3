import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { heldRef } from '../remote/fetch-commit.ts';

/*
 * A mirror on disk is a folder of numbered bare repositories `1.git`, `2.git`, …: generations. The newest whole one is
 * in use and the one before it stays, so that snapshots taken from it can still be read. A generation is whole once its
 * `held` ref is written, which is the last thing that happens to it; so a process that is killed at any moment leaves
 * either a whole generation or one that the next start removes.
 */

/** The one in use and the one before it. */
export const keptGenerations = 2;

/** Every fetch adds a pack and nothing merges them; from here on a new shallow copy is cheaper than more of them. */
export const maxPacks = 50;

export interface GenerationFolder {
  readonly number: number;
  readonly gitdir: string;
}

/** Every generation that there is a folder of, newest first. */
export function listGenerations(dir: string): GenerationFolder[] {
  return readdirSync(dir)
    .map((name) => ({ number: numberOf(name), gitdir: join(dir, name) }))
    .filter(({ number }) => number > 0)
    .sort((a, b) => b.number - a.number);
}

/** Whether any of the folders that processes took in `parent` holds a generation. */
export function hasGenerations(parent: string): boolean {
  return (
    existsSync(parent) && readdirSync(parent).some((slot) => listGenerations(join(parent, slot)).length > 0)
  );
}

/** A folder for the generation after this one; whatever lay there before is removed. */
export function nextGeneration(dir: string, newest: GenerationFolder | undefined): GenerationFolder {
  const number = (newest?.number ?? 0) + 1;
  const gitdir = join(dir, `${number}.git`);
  removeGeneration(gitdir);
  return { number, gitdir };
}

export function isWhole(gitdir: string): boolean {
  return existsSync(join(gitdir, heldRef));
}

export function removeGeneration(gitdir: string): void {
  rmSync(gitdir, { recursive: true, force: true, maxRetries: 3 });
}

/** Keeps a damaged generation for a look at what is wrong with it; only the last, so that disk use stays bounded. */
export function setAside(dir: string, gitdir: string): void {
  const aside = join(dir, 'damaged');
  rmSync(aside, { recursive: true, force: true });
  renameSync(gitdir, aside);
}

export function countPacks(gitdir: string): number {
  return readdirSync(join(gitdir, 'objects', 'pack')).filter((name) => name.endsWith('.idx')).length;
}

/** '12.git' → 12; 0 for anything else. */
function numberOf(name: string): number {
  return Number(/^(\d+)\.git$/.exec(name)?.[1] ?? 0);
}
