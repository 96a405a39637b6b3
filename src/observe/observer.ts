import { partOfLabel } from '../model/apply-set.ts';
import { FleetError } from '../model/fleet-error.ts';
import { groupKindOf, type ObjectRef } from '../model/object-ref.ts';
import { type Clock, systemClock } from '../kube/clock.ts';
import type { ResourceInfo } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import type { Inventory, KindState, OwnedChange } from './inventory.ts';
import { KindWatch } from './kind-watch.ts';
import { OwnedStore } from './owned-store.ts';
import { healthReading, metadataReading, type Reading } from './reading.ts';

export interface ObserverOptions {
  readonly client: KubeClient;
  readonly applySetId: string;
  /** Called in the order of the stream, never for a mere change of status. Must not throw. */
  readonly onChange: (change: OwnedChange) => void;
  /** The health of an object of a kind that is read whole changed, and nothing else. Must not throw. */
  readonly onHealth?: (change: OwnedChange) => void;
  /** Objects of which every write is told that is none of status alone. None unless given. */
  readonly isWatchedClosely?: (ref: ObjectRef) => boolean;
  readonly onKindState: (groupKind: string, state: KindState) => void;
  /** A watch that hears nothing for so long is cut and taken up again. Default 90 s: servers send a bookmark a minute. */
  readonly silenceMs?: number;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** Knows the owned objects of one cluster from its watches, without asking again. */
export interface ClusterObserver extends Inventory {
  /**
   * The full set of kinds to watch. Starts new ones and stops those no longer named, whose objects are forgotten
   * only then. A kind that failed is tried again at once.
   * @param whole kinds whose objects are read whole, so that their health is known; none unless given.
   */
  watch(resources: readonly ResourceInfo[], whole?: ReadonlySet<string>): void;
  /** Resolves when every watched kind is synced or failed. */
  whenSettled(signal: AbortSignal): Promise<void>;
  /** When the API server last sent anything, in milliseconds since the epoch. */
  lastHeardAtMs(): number | undefined;
  stop(): Promise<void>;
}

/** An observer that watches nothing yet. */
export function openObserver(options: ObserverOptions): ClusterObserver {
  const { clock = systemClock, random = Math.random, silenceMs = 90_000 } = options;
  const store = new OwnedStore();
  const watches = new Map<string, KindWatch>();
  const waiting = new Set<() => void>();
  let heardAtMs: number | undefined;

  const isSettled = (): boolean => [...watches.values()].every((watch) => watch.state.state !== 'syncing');
  const settle = (): void => {
    if (!isSettled()) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const wakeUnreachable = (): void => {
    for (const watch of watches.values()) {
      const { state } = watch;
      if (state.state === 'failed' && state.error.code === 'ClusterUnreachable') watch.wake();
    }
  };
  const start = (resource: ResourceInfo, reading: Reading): KindWatch => {
    const groupKind = groupKindOf(resource);
    return new KindWatch({
      client: options.client,
      resource,
      labelSelector: `${partOfLabel}=${options.applySetId}`,
      reading,
      store,
      silenceMs,
      clock,
      random,
      onChange: options.onChange,
      onHealth: options.onHealth ?? (() => undefined),
      isWatchedClosely: options.isWatchedClosely ?? (() => false),
      onState: (state) => {
        options.onKindState(groupKind, state);
        settle();
      },
      onHeard: () => {
        heardAtMs = clock.now();
      },
      onRecovered: wakeUnreachable,
    });
  };

  return {
    watch(resources, whole = new Set()) {
      const readingOf = (groupKind: string): Reading =>
        whole.has(groupKind) ? healthReading : metadataReading;
      const wanted = new Map(resources.map((resource) => [groupKindOf(resource), resource]));
      for (const [groupKind, watch] of watches) {
        const resource = wanted.get(groupKind);
        const isSame = watch.reading === readingOf(groupKind);
        if (resource !== undefined && isSame && isSamePath(resource, watch.resource)) {
          if (watch.state.state === 'failed') watch.wake();
          continue;
        }
        void watch.stop();
        watches.delete(groupKind);
        if (resource === undefined) store.forget(groupKind);
      }
      for (const [groupKind, resource] of wanted) {
        if (!watches.has(groupKind)) watches.set(groupKind, start(resource, readingOf(groupKind)));
      }
      settle();
    },
    whenSettled: (signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        if (isSettled()) {
          resolve();
          return;
        }
        const onAbort = (): void => {
          waiting.delete(done);
          reject(signal.reason as Error);
        };
        const done = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        waiting.add(done);
        signal.addEventListener('abort', onAbort, { once: true });
      }),
    kindState: (groupKind) => watches.get(groupKind)?.state ?? notWatched(groupKind),
    owned: () => store.owned(),
    get: (ref) => store.get(ref),
    lastHeardAtMs: () => heardAtMs,
    async stop() {
      await Promise.all([...watches.values()].map((watch) => watch.stop()));
    },
  };
}

function isSamePath(a: ResourceInfo, b: ResourceInfo): boolean {
  return a.apiVersion === b.apiVersion && a.plural === b.plural && a.namespaced === b.namespaced;
}

function notWatched(groupKind: string): KindState {
  return { state: 'failed', error: new FleetError('KindUnknown', `${groupKind} is not watched`) };
}
