import type { ServerFacts } from '../model/server-facts.ts';
import type { StateStore } from '../store/state-store.ts';

/** What each cluster's API server said of itself last, kept across restarts where the store may be written. */
export class ServerMemory {
  readonly #store: StateStore;
  readonly #isKept: boolean;
  readonly #facts = new Map<string, ServerFacts | undefined>();

  /** @param isKept false for commands that write nothing anywhere. */
  constructor(store: StateStore, isKept: boolean) {
    this.#store = store;
    this.#isKept = isKept;
  }

  /** Undefined for a server that was never asked. The very same object until something else is learned. */
  get(cluster: string): ServerFacts | undefined {
    if (!this.#facts.has(cluster)) this.#facts.set(cluster, this.#store.serverFacts(cluster));
    return this.#facts.get(cluster);
  }

  learn(cluster: string, facts: ServerFacts): void {
    if (this.get(cluster) === facts) return;
    this.#facts.set(cluster, facts);
    if (this.#isKept) this.#store.saveServerFacts(cluster, facts);
  }
}
