import type { Clock } from '../kube/clock.ts';

/** Small news comes in bursts: it is gathered for a moment, and told once. */
const gatherMs = 500;

/** Tells that there is news, at most once a moment, and nothing any more once it is aborted. */
export class GatheredNews {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #tell: () => void;
  #isWaiting = false;

  constructor(clock: Clock, signal: AbortSignal, tell: () => void) {
    this.#clock = clock;
    this.#signal = signal;
    this.#tell = tell;
  }

  /** There is something to tell. */
  note(): void {
    if (this.#isWaiting || this.#signal.aborted) return;
    this.#isWaiting = true;
    void this.#clock.sleep(gatherMs, this.#signal).then(
      () => {
        this.#isWaiting = false;
        this.#tell();
      },
      () => undefined,
    );
  }
}
