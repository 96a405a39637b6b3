import { type Change } from '../model/change.ts';

const longestPauseMs = 300_000;

/**
 * When to ask a server again what it serves because Git wants kinds that it does not know: nothing tells that somebody
 * installed an operator, or replaced a definition by one with another plural. The pause doubles with each look.
 */
export class UnknownKinds {
  readonly #pauseMs: (looks: number) => number;
  #wanted = '';
  #looks = 0;
  #dueAt: number | undefined;

  /** @param options.random a number from 0 up to 1, as Math.random gives. */
  constructor({ intervalMs, random }: { readonly intervalMs: number; readonly random: () => number }) {
    const longest = Math.max(longestPauseMs, intervalMs);
    this.#pauseMs = (looks) => (0.5 + random() / 2) * Math.min(longest, intervalMs * 2 ** looks);
  }

  /** In ms since the epoch; undefined while every kind is known. */
  get dueAt(): number | undefined {
    return this.#dueAt;
  }

  isDue(now: number): boolean {
    return this.#dueAt !== undefined && now >= this.#dueAt;
  }

  /** Takes in what the last sync found. */
  note(changes: readonly Change[], now: number): void {
    const kinds = new Set(
      changes.flatMap((change) =>
        change.action === 'failed' && change.error.code === 'KindUnknown'
          ? [`${change.ref.apiVersion}/${change.ref.kind}`]
          : [],
      ),
    );
    const wanted = [...kinds].sort().join(' ');
    if (wanted !== this.#wanted) this.#looks = 0;
    else if (!this.isDue(now)) return;
    this.#wanted = wanted;
    this.#dueAt = wanted === '' ? undefined : now + this.#pauseMs(this.#looks);
    this.#looks += 1;
  }
}
