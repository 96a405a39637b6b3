import type { Tip } from '../objects/read-tip.ts';
import { type GenerationFolder, keptGenerations, removeGeneration, setAside } from './generation-folders.ts';

/** A whole copy that can be read. */
export interface Generation<Objects extends { close(): void }> extends GenerationFolder {
  readonly objects: Objects;
  readonly tip: Tip;
}

/** The generations of one mirror that are in use, newest first. */
export class GenerationList<Objects extends { close(): void }> {
  readonly #dir: string;
  #generations: readonly Generation<Objects>[];

  /** @param generations at most as many as are kept. */
  constructor(dir: string, generations: readonly Generation<Objects>[]) {
    this.#dir = dir;
    this.#generations = generations;
  }

  get newest(): Generation<Objects> | undefined {
    return this.#generations[0];
  }

  [Symbol.iterator](): Iterator<Generation<Objects>> {
    return this.#generations.values();
  }

  /** Takes a new generation into use, or the newest that has grown on; those that are too many are removed. */
  adopt(generation: Generation<Objects>): void {
    const grown = this.newest?.gitdir === generation.gitdir;
    const kept = [generation, ...this.#generations.slice(grown ? 1 : 0)].slice(0, keptGenerations);
    for (const { gitdir, objects } of this.#generations) {
      if (kept.some((other) => other.gitdir === gitdir)) continue;
      objects.close();
      removeGeneration(gitdir);
    }
    this.#generations = kept;
  }

  /** Puts the generation before the one in use out of the way, for a look at what is wrong with it. */
  setPreviousAside(): void {
    const broken = this.#generations[1];
    if (broken === undefined) return;
    broken.objects.close();
    setAside(this.#dir, broken.gitdir);
    this.#generations = this.#generations.slice(0, 1);
  }

  close(): void {
    for (const { objects } of this.#generations) objects.close();
  }
}
