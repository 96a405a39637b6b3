import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openObjectDatabase, type ObjectDatabase } from '../objects/object-database.ts';
import type { GitObject } from '../objects/pack-file.ts';
import { leadsBack, readTip, type Tip } from '../objects/read-tip.ts';
import { heldRef } from '../remote/fetch-commit.ts';

/**
 * A shallow copy of one ref on disk, as numbered bare repositories `1.git`, `2.git`, …: generations.
 * The newest whole one is in use and the one before it stays, so that snapshots taken from it can still be read.
 * A generation is whole once its `held` ref is written, which is the last thing that happens to it; so a process
 * that is killed at any moment leaves either a whole generation or one that the next start removes.
 */
export interface Mirror {
  /** What the generation in use holds; undefined before the first. */
  tip(): Tip | undefined;
  /** The folder of the generation in use. @throws Error before the first. */
  gitdir(): string;
  /** A folder for the next generation, not there yet. */
  nextGitdir(): string;
  /**
   * Checks that a folder has the commit and its tree, marks it whole and takes it into use.
   * An annotated tag's id is followed to its commit.
   * @throws Error when something is missing or damaged.
   */
  adopt(gitdir: string, oid: string): Tip;
  /** True when every commit from `to` back to `from` is held: the ref moved forward. */
  isForward(from: string, to: string): boolean;
  /** Puts the generation before the one in use out of the way, for a look at what is wrong with it. */
  setPreviousAside(): void;
  read(oid: string, maxBytes: number): GitObject | undefined;
  close(): void;
}

interface Generation {
  readonly number: number;
  readonly gitdir: string;
  readonly objects: ObjectDatabase;
  readonly tip: Tip;
}

/** Opens the mirror in `dir` and clears away what an interrupted process left. */
export function openMirror(dir: string): Mirror {
  mkdirSync(dir, { recursive: true });
  let generations = openGenerations(dir);

  function inUse(): Generation {
    const newest = generations[0];
    if (newest === undefined) throw new Error('nothing is mirrored yet');
    return newest;
  }

  function keepOnly(kept: readonly Generation[]): void {
    for (const generation of generations) {
      if (!kept.some(({ gitdir }) => gitdir === generation.gitdir)) {
        generation.objects.close();
        rmSync(generation.gitdir, { recursive: true, force: true });
      }
    }
    generations = [...kept];
  }

  return {
    tip: () => generations[0]?.tip,
    gitdir: () => inUse().gitdir,
    nextGitdir() {
      const gitdir = join(dir, `${(generations[0]?.number ?? 0) + 1}.git`);
      rmSync(gitdir, { recursive: true, force: true });
      return gitdir;
    },
    adopt(gitdir, oid) {
      const current = generations[0];
      const grown = current?.gitdir === gitdir;
      const objects = grown ? current.objects : openObjectDatabase(join(gitdir, 'objects'));
      const tip = readTip(objects, oid);
      writeHeld(gitdir, tip.commit);
      const adopted = { number: numberOf(gitdir), gitdir, objects, tip };
      keepOnly([adopted, ...generations.slice(grown ? 1 : 0)].slice(0, 2));
      return tip;
    },
    isForward: (from, to) => leadsBack(inUse().objects, from, to),
    setPreviousAside() {
      const broken = generations[1];
      if (broken === undefined) return;
      broken.objects.close();
      setAside(dir, broken.gitdir);
      generations = generations.slice(0, 1);
    },
    read(oid, maxBytes) {
      for (const { objects } of generations) {
        const found = objects.read(oid, maxBytes);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    close() {
      for (const { objects } of generations) objects.close();
    },
  };
}

/** The whole generations, newest first; everything else that looks like one is removed. */
function openGenerations(dir: string): Generation[] {
  const numbers = readdirSync(dir)
    .map(numberOf)
    .filter((number) => number > 0)
    .sort((a, b) => b - a);
  const whole: Generation[] = [];
  for (const number of numbers) {
    const gitdir = join(dir, `${number}.git`);
    const opened = whole.length < 2 ? openGeneration(number, gitdir) : 'unfinished';
    if (opened === 'damaged') setAside(dir, gitdir);
    else if (opened === 'unfinished') rmSync(gitdir, { recursive: true, force: true });
    else whole.push(opened);
  }
  return whole;
}

function openGeneration(number: number, gitdir: string): Generation | 'damaged' | 'unfinished' {
  if (!existsSync(join(gitdir, heldRef))) return 'unfinished';
  const objects = openObjectDatabase(join(gitdir, 'objects'));
  try {
    const held = readFileSync(join(gitdir, heldRef), 'utf8').trim();
    return { number, gitdir, objects, tip: readTip(objects, held) };
  } catch {
    objects.close();
    return 'damaged';
  }
}

/** Only the last damaged one is kept, so that disk use stays bounded. */
function setAside(dir: string, gitdir: string): void {
  const aside = join(dir, 'damaged');
  rmSync(aside, { recursive: true, force: true });
  renameSync(gitdir, aside);
}

export function countPacks(gitdir: string): number {
  return readdirSync(join(gitdir, 'objects', 'pack')).filter((name) => name.endsWith('.idx')).length;
}

/** 'x/12.git' → 12; 0 for anything else. */
function numberOf(path: string): number {
  return Number(/(?:^|\/)(\d+)\.git$/.exec(path)?.[1] ?? 0);
}

function writeHeld(gitdir: string, commit: string): void {
  const path = join(gitdir, heldRef);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.partial`, `${commit}\n`);
  renameSync(`${path}.partial`, path);
}
