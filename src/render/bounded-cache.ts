/** Keeps what was used last, up to a total weight. What is dropped is made again when it is needed. */
export class BoundedCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly weight: number }>();
  readonly #maxWeight: number;
  #weight = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion: put last, an entry is dropped last.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, weight: number): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }

  get size(): number {
    return this.#entries.size;
  }
}
