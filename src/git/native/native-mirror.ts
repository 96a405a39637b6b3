import { mkdirSync } from 'node:fs';
import {
  countPacks,
  type GenerationFolder,
  isWhole,
  keptGenerations,
  listGenerations,
  maxPacks,
  nextGeneration,
  removeGeneration,
  setAside,
} from '../mirror/generation-folders.ts';
import { type Generation, GenerationList } from '../mirror/generation-list.ts';
import type { GitObject } from '../objects/pack-file.ts';
import type { Tip } from '../objects/read-tip.ts';
import type { ObjectReader } from './object-reader.ts';

/** A shallow copy of one ref that git itself fetches and reads, kept in generations: see generation-folders.ts. */
export interface NativeMirror {
  /** What the generation in use holds; undefined before the first. */
  tip(): Tip | undefined;
  /** The folder to fetch into: the one in use while it may grow on, undefined when a new one is due. */
  growing(): GenerationFolder | undefined;
  /** A folder for the next generation, not there yet. */
  next(): GenerationFolder;
  /** Takes a folder into use whose `held` ref git has written. @throws Error when it holds no commit after all. */
  adopt(folder: GenerationFolder): Promise<Tip>;
  /** Puts the generation before the one in use out of the way, for a look at what is wrong with it. */
  setPreviousAside(): void;
  /** The object from the newest generation that has it. @throws as ObjectReader */
  read(oid: string): Promise<GitObject | undefined>;
  close(): void;
}

export interface NativeMirrorOptions {
  readonly dir: string;
  /** What the `held` ref of a repository leads to; undefined when that cannot be read. */
  readonly readTip: (gitdir: string) => Promise<Tip | undefined>;
  readonly openObjects: (gitdir: string) => ObjectReader;
}

/** Opens the mirror in `dir` and clears away what an interrupted process left. */
export async function openNativeMirror(options: NativeMirrorOptions): Promise<NativeMirror> {
  const { dir, readTip, openObjects } = options;
  mkdirSync(dir, { recursive: true });
  const generations = new GenerationList(dir, await openGenerations(options));

  return {
    tip: () => generations.newest?.tip,
    growing() {
      const current = generations.newest;
      return current !== undefined && countPacks(current.gitdir) < maxPacks ? current : undefined;
    },
    next: () => nextGeneration(dir, generations.newest),
    async adopt({ number, gitdir }) {
      const tip = await readTip(gitdir);
      if (tip === undefined) throw new Error('what was fetched holds no commit');
      const current = generations.newest;
      const objects = current?.gitdir === gitdir ? current.objects : openObjects(gitdir);
      generations.adopt({ number, gitdir, objects, tip });
      return tip;
    },
    setPreviousAside: () => {
      generations.setPreviousAside();
    },
    async read(oid) {
      for (const { objects } of generations) {
        const found = await objects.read(oid);
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
async function openGenerations({
  dir,
  readTip,
  openObjects,
}: NativeMirrorOptions): Promise<Generation<ObjectReader>[]> {
  const whole: Generation<ObjectReader>[] = [];
  for (const { number, gitdir } of listGenerations(dir)) {
    if (!isWhole(gitdir) || whole.length === keptGenerations) {
      removeGeneration(gitdir);
      continue;
    }
    const tip = await readTip(gitdir);
    if (tip === undefined) setAside(dir, gitdir);
    else whole.push({ number, gitdir, tip, objects: openObjects(gitdir) });
  }
  return whole;
}
