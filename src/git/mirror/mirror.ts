import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openObjectDatabase, type ObjectDatabase } from '../objects/object-database.ts';
import type { GitObject } from '../objects/pack-file.ts';
import { leadsBack, readTip, type Tip } from '../objects/read-tip.ts';
import { heldRef } from '../remote/fetch-commit.ts';
import {
  type GenerationFolder,
  isWhole,
  keptGenerations,
  listGenerations,
  nextGeneration,
  removeGeneration,
  setAside,
} from './generation-folders.ts';
import { type Generation, GenerationList } from './generation-list.ts';

/** A shallow copy of one ref on disk, kept in generations: see generation-folders.ts. */
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

/** Opens the mirror in `dir` and clears away what an interrupted process left. */
export function openMirror(dir: string): Mirror {
  mkdirSync(dir, { recursive: true });
  const generations = new GenerationList(dir, openGenerations(dir));

  function inUse(): Generation<ObjectDatabase> {
    const { newest } = generations;
    if (newest === undefined) throw new Error('nothing is mirrored yet');
    return newest;
  }

  return {
    tip: () => generations.newest?.tip,
    gitdir: () => inUse().gitdir,
    nextGitdir: () => nextGeneration(dir, generations.newest).gitdir,
    adopt(gitdir, oid) {
      const current = generations.newest;
      const grown = current?.gitdir === gitdir;
      const objects = grown ? current.objects : openObjectDatabase(join(gitdir, 'objects'));
      const tip = readTip(objects, oid);
      writeHeld(gitdir, tip.commit);
      generations.adopt({ number: Number.parseInt(basename(gitdir), 10), gitdir, objects, tip });
      return tip;
    },
    isForward: (from, to) => leadsBack(inUse().objects, from, to),
    setPreviousAside: () => {
      generations.setPreviousAside();
    },
    read(oid, maxBytes) {
      for (const { objects } of generations) {
        const found = objects.read(oid, maxBytes);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    close: () => {
      generations.close();
    },
  };
}

/** The whole generations, newest first; everything else that looks like one is removed. */
function openGenerations(dir: string): Generation<ObjectDatabase>[] {
  const whole: Generation<ObjectDatabase>[] = [];
  for (const folder of listGenerations(dir)) {
    const opened = whole.length < keptGenerations ? openGeneration(folder) : 'unfinished';
    if (opened === 'damaged') setAside(dir, folder.gitdir);
    else if (opened === 'unfinished') removeGeneration(folder.gitdir);
    else whole.push(opened);
  }
  return whole;
}

function openGeneration({
  number,
  gitdir,
}: GenerationFolder): Generation<ObjectDatabase> | 'damaged' | 'unfinished' {
  if (!isWhole(gitdir)) return 'unfinished';
  const objects = openObjectDatabase(join(gitdir, 'objects'));
  try {
    const held = readFileSync(join(gitdir, heldRef), 'utf8').trim();
    return { number, gitdir, objects, tip: readTip(objects, held) };
  } catch {
    objects.close();
    return 'damaged';
  }
}

function writeHeld(gitdir: string, commit: string): void {
  const path = join(gitdir, heldRef);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.partial`, `${commit}\n`);
  renameSync(`${path}.partial`, path);
}
