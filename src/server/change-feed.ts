/** What a subscriber of the feed is told. Neither may throw. */
export interface FeedListener {
  onChange(): void;
  onHeartbeat(): void;
}

export interface ChangeFeedOptions {
  /** Registers a listener for every update; returns what ends it. */
  readonly onUpdate: (listener: () => void) => () => void;
  /** Two changes told are at least this far apart. 200 unless given. */
  readonly minIntervalMs?: number;
  /** 15,000 unless given. */
  readonly heartbeatMs?: number;
}

/**
 * Turns the engine's updates, of which there may be thousands a second, into few: the first is told at once, those
 * that follow closely are told together. One subscription and two timers serve any number of subscribers.
 */
export class ChangeFeed {
  readonly #minIntervalMs: number;
  readonly #listeners = new Set<FeedListener>();
  readonly #endUpdates: () => void;
  readonly #heartbeat: NodeJS.Timeout;
  #pause: NodeJS.Timeout | undefined;
  #isUntold = false;
  #version = 0;

  constructor({ onUpdate, minIntervalMs = 200, heartbeatMs = 15_000 }: ChangeFeedOptions) {
    this.#minIntervalMs = minIntervalMs;
    this.#endUpdates = onUpdate(() => {
      this.#version += 1;
      this.#isUntold = true;
      if (this.#pause === undefined) this.#tell();
    });
    this.#heartbeat = setInterval(() => {
      for (const listener of this.#listeners) listener.onHeartbeat();
    }, heartbeatMs).unref();
  }

  /** Grows with every update: what was made at the same version is still true. */
  get version(): number {
    return this.#version;
  }

  /** How many subscribers there are. */
  get size(): number {
    return this.#listeners.size;
  }

  /** @returns a function that ends the subscription. */
  subscribe(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the subscription to the engine and the timers. */
  close(): void {
    this.#endUpdates();
    clearInterval(this.#heartbeat);
    clearTimeout(this.#pause);
    this.#listeners.clear();
  }

  #tell(): void {
    this.#isUntold = false;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#isUntold) this.#tell();
    }, this.#minIntervalMs).unref();
    for (const listener of this.#listeners) listener.onChange();
  }
}
