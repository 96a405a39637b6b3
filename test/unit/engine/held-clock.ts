import type { Clock } from '../../../src/kube/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** A clock that stands still until it is told to go on. */
export class HeldClock implements Clock {
  #now = 1_000_000;
  #sleepers: Sleeper[] = [];

  now(): number {
    return this.#now;
  }

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { at: this.#now + delayMs, resolve, reject };
      this.#sleepers.push(sleeper);
      signal.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason as Error);
      });
    });
  }

  /** How many wait for their time. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Lets time pass, wakes whoever is due, and lets them act. */
  async pass(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#sleepers.filter(({ at }) => at <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now);
    for (const { resolve } of due) resolve();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
