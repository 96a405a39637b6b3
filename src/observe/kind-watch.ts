import { type FleetError, toFleetError } from '../model/fleet-error.ts';
import type { JsonObject } from '../model/json.ts';
import { groupKindOf, type ObjectRef } from '../model/object-ref.ts';
import type { Clock } from '../kube/clock.ts';
import type { ResourceInfo } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { collectionPath } from '../kube/object-path.ts';
import { listMetadata } from '../kube/objects.ts';
import { isExpired, refusalOf } from '../kube/status-error.ts';
import type { KindState, OwnedChange } from './inventory.ts';
import { keyOf, type OwnedStore } from './owned-store.ts';
import type { Reading } from './reading.ts';
import { retryDelayMs } from './retry-delay.ts';
import { parseWatchEvent } from './watch-event.ts';

export interface KindWatchOptions {
  readonly client: KubeClient;
  readonly resource: ResourceInfo;
  readonly labelSelector: string;
  readonly reading: Reading;
  readonly store: OwnedStore;
  readonly silenceMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onChange: (change: OwnedChange) => void;
  /** The health of an object changed, and nothing else. */
  readonly onHealth: (change: OwnedChange) => void;
  readonly isWatchedClosely: (ref: ObjectRef) => boolean;
  readonly onState: (state: KindState) => void;
  /** The server sent something, if only a sign of life. */
  readonly onHeard: () => void;
  /** A watch that had failed works again: others that failed for the same reason need not wait any longer. */
  readonly onRecovered: () => void;
}

/** A watch that lasted so long was a healthy one, whatever ended it. */
const healthyMs = 30_000;
/**
 * A server that accepted a watch is there. One that ends early is tried again within seconds, however long the outage
 * before it was: else a second outage soon after would be noticed, and over, half a minute late.
 */
const mostFailuresOnceAccepted = 4;
/** Renewals are spread out: 5 to 10 minutes, as client-go has it. */
const minWatchSeconds = 300;
/** After so many streamed lists that broke off, the objects are listed plainly: some servers accept a streamed list and never end it. */
const maxStreamedLists = 2;

/**
 * Follows the owned objects of one kind: a whole read, then every change, for as long as it is not stopped.
 * What the store holds outlives every failure, and only a whole read removes what it did not show.
 */
export class KindWatch {
  readonly resource: ResourceInfo;
  readonly #options: KindWatchOptions;
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;
  #state: KindState = { state: 'syncing' };
  /** Where the next watch goes on from; '' before the first whole read. */
  #resourceVersion = '';
  #brokenStreamedLists = 0;
  #failures = 0;
  #openedAtMs: number | undefined;
  #wake: AbortController | undefined;

  constructor(options: KindWatchOptions) {
    this.#options = options;
    this.resource = options.resource;
    this.#done = this.#run();
  }

  get reading(): Reading {
    return this.#options.reading;
  }

  get state(): KindState {
    return this.#state;
  }

  /** Ends a pause before the next try, if there is one. */
  wake(): void {
    this.#wake?.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#openedAtMs = undefined;
      const error = await this.#attempt();
      // Read anew: the attempt waits, and stop() may have come meanwhile.
      if (this.#stopping.signal.aborted) return;
      await this.#pause(this.#assess(error));
    }
  }

  /** One read and watch until it ends; the error that ended it, or undefined where the server closed it in order. */
  async #attempt(): Promise<FleetError | undefined> {
    try {
      if (this.#resourceVersion === '' && !this.#usesStreamedList()) await this.#list();
      await this.#watch();
      return undefined;
    } catch (error) {
      return toFleetError(error);
    }
  }

  /** Draws the consequences of an attempt's end and says how long to pause. */
  #assess(error: FleetError | undefined): number {
    const { clock, random } = this.#options;
    const opened = this.#openedAtMs;
    const healthy = opened !== undefined && clock.now() - opened >= healthyMs;
    const known = opened === undefined ? this.#failures : Math.min(this.#failures, mostFailuresOnceAccepted);
    const failures = healthy ? 0 : known;
    const delayMs = retryDelayMs(failures, random, error);
    this.#failures = healthy ? 0 : failures + 1;
    if (opened !== undefined && this.#resourceVersion === '') this.#brokenStreamedLists += 1;
    if (error === undefined) return delayMs;
    if (isExpired(error)) {
      this.#readAnew();
    } else if (this.#refusesStreamedList(error)) {
      this.#brokenStreamedLists = maxStreamedLists;
      return 0;
    } else if (opened === undefined || refusalOf(error) !== undefined || this.#resourceVersion === '') {
      // A watch that merely lost its connection is still as good as its next try.
      this.#setState({ state: 'failed', error });
      // Whatever is served under this path next time may be another definition's objects.
      if (error.code === 'KindUnknown') this.#resourceVersion = '';
    }
    return delayMs;
  }

  #readAnew(): void {
    this.#resourceVersion = '';
    if (this.#state.state === 'synced') this.#setState({ state: 'syncing' });
  }

  #usesStreamedList(): boolean {
    return this.#brokenStreamedLists < maxStreamedLists;
  }

  #refusesStreamedList(error: FleetError): boolean {
    const status = refusalOf(error)?.httpStatus;
    return this.#resourceVersion === '' && this.#usesStreamedList() && (status === 400 || status === 422);
  }

  async #list(): Promise<void> {
    const { client, resource, labelSelector, reading } = this.#options;
    const { signal } = this.#stopping;
    const list = await listMetadata(client, resource, { labelSelector, accept: reading.accept.list, signal });
    this.#options.onHeard();
    const seen = new Set(list.items.map((item) => this.#put(item)));
    this.#finishRead(seen, list.resourceVersion);
  }

  async #watch(): Promise<void> {
    // While set, the objects that existed at the start are still arriving.
    let seen = this.#resourceVersion === '' ? new Set<string>() : undefined;
    for await (const line of this.#openStream()) {
      // One chunk holds many events: those behind the one at which we were stopped are still to come here.
      if (this.#stopping.signal.aborted) return;
      this.#options.onHeard();
      const event = parseWatchEvent(line);
      if (event.type === 'put') seen?.add(this.#put(event.object));
      if (event.type === 'put' && seen === undefined) this.#put(event.object);
      if (event.type === 'remove') this.#remove(event.object);
      if (seen === undefined) {
        // A watch that breaks off in the first read has no version yet, and is read anew.
        this.#resourceVersion = event.resourceVersion;
      } else if (event.type === 'bookmark' && event.initialEnd) {
        this.#finishRead(seen, event.resourceVersion);
        seen = undefined;
      }
    }
  }

  #openStream(): AsyncIterable<JsonObject> {
    const { client, resource, labelSelector, reading, random, silenceMs } = this.#options;
    const first = this.#resourceVersion === '';
    return client.stream({
      method: 'GET',
      path: collectionPath(resource),
      query: {
        watch: '1',
        labelSelector,
        allowWatchBookmarks: 'true',
        timeoutSeconds: String(minWatchSeconds + Math.floor(random() * minWatchSeconds)),
        ...(first
          ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }
          : { resourceVersion: this.#resourceVersion }),
      },
      accept: reading.accept.object,
      signal: this.#stopping.signal,
      silenceMs,
      onOpen: () => {
        this.#opened(first);
      },
    });
  }

  #opened(first: boolean): void {
    this.#openedAtMs = this.#options.clock.now();
    this.#options.onHeard();
    if (!first) this.#synced();
  }

  #finishRead(seen: ReadonlySet<string>, resourceVersion: string): void {
    const gone = this.#options.store.removeOthers(groupKindOf(this.resource), seen);
    for (const change of gone) this.#options.onChange(change);
    this.#resourceVersion = resourceVersion;
    this.#synced();
  }

  #synced(): void {
    if (this.#state.state === 'synced') return;
    const recovered = this.#state.state === 'failed';
    this.#setState({ state: 'synced' });
    if (recovered) this.#options.onRecovered();
  }

  #put(object: JsonObject): string {
    const { reading, store, isWatchedClosely, onChange, onHealth } = this.#options;
    const owned = reading.reduce(object, this.resource);
    const change = store.put(owned, isWatchedClosely(owned.ref));
    if (change !== undefined) (change.only === 'health' ? onHealth : onChange)(change);
    return keyOf(owned.ref);
  }

  #remove(object: JsonObject): void {
    const change = this.#options.store.remove(this.#options.reading.reduce(object, this.resource).ref);
    if (change !== undefined) this.#options.onChange(change);
  }

  #setState(state: KindState): void {
    this.#state = state;
    this.#options.onState(state);
  }

  async #pause(delayMs: number): Promise<void> {
    this.#wake = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, this.#wake.signal]);
    try {
      await this.#options.clock.sleep(delayMs, signal);
    } catch {
      // Woken, or stopped: the loop looks which.
    }
    this.#wake = undefined;
  }
}
