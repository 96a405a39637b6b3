import type { Clock } from '../kube/clock.ts';

/** A bell that one waiter listens to. Rings while nobody waits count as one, so bursts are taken together. */
export class WakeUp {
  readonly #clock: Clock;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Takes back a ring that nobody has heard: what it told is about to be looked at anyway. */
  hush(): void {
    this.#rung = false;
  }

  get isRung(): boolean {
    return this.#rung;
  }

  /** Resolves at the next ring, at once if there was one, or at a time (ms since the epoch); rejects when aborted. */
  async wait(until: number | undefined, signal: AbortSignal): Promise<void> {
    if (!this.#rung) await this.#ringOrTime(until, signal);
    this.#rung = false;
  }

  async #ringOrTime(until: number | undefined, signal: AbortSignal): Promise<void> {
    const given = new AbortController();
    const either = AbortSignal.any([signal, given.signal]);
    const longestMs = 2 ** 31 - 1;
    const delayMs =
      until === undefined ? longestMs : Math.min(longestMs, Math.max(0, until - this.#clock.now()));
    const timer = this.#clock.sleep(delayMs, either).catch(() => undefined);
    const rung = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    try {
      await Promise.race([timer, rung]);
      signal.throwIfAborted();
    } finally {
      this.#wake = undefined;
      given.abort();
    }
  }
}
