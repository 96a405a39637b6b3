const firstPauseMs = 250;
const longestPauseMs = 300_000;

/**
 * When to look at a cluster again although nothing moved, because something was left undone and no event will tell that
 * it can be done now: an operator is installed, discovery catches up with a definition, a deletion is no longer refused.
 * The pause doubles with each look at the same reasons.
 */
export class AnotherLook {
  readonly #random: () => number;
  #reasons = '';
  #looks = 0;
  #dueAt: number | undefined;
  #looking = false;

  /** @param random a number from 0 up to 1, as Math.random gives. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** In ms since the epoch; undefined while there is no reason. */
  get dueAt(): number | undefined {
    return this.#dueAt;
  }

  /** A sync begins. @returns whether it is the one to look again. */
  begin(now: number): boolean {
    return (this.#looking = this.#dueAt !== undefined && now >= this.#dueAt);
  }

  /** Takes in what the sync has left undone, in words that stay the same while the reasons do. */
  note(reasons: readonly string[], now: number): void {
    const joined = reasons.toSorted().join('\n');
    if (joined !== this.#reasons) this.#looks = 0;
    // A look that came due while a sync was under way is still to be taken.
    else if (!this.#looking) return;
    this.#looking = false;
    this.#reasons = joined;
    const pauseMs = (0.5 + this.#random() / 2) * Math.min(longestPauseMs, firstPauseMs * 2 ** this.#looks);
    this.#dueAt = joined === '' ? undefined : now + pauseMs;
    this.#looks += 1;
  }
}
