/** With the pauses of AnotherLook these end some 16 s after a definition moved. */
const looksPerMove = 6;

/** Definitions that moved, and how often the server is still to be asked what it serves: it follows them with a delay. */
export class MovedDefinitions {
  #moves = 0;
  #looksLeft = 0;

  moved(): void {
    this.#moves += 1;
    this.#looksLeft = looksPerMove;
  }

  /** The server was asked. */
  looked(): void {
    this.#looksLeft = Math.max(0, this.#looksLeft - 1);
  }

  /** Why to look again, in words that stay the same until definitions move once more; see AnotherLook. */
  get reasons(): readonly string[] {
    return this.#looksLeft === 0 ? [] : [`definitions moved ${this.#moves} times`];
  }
}
