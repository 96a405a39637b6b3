import type { Clock } from '../kube/clock.ts';
import type { Discovery } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { KindWatch } from './kind-watch.ts';
import { OwnedStore } from './owned-store.ts';
import { metadataReading } from './reading.ts';

export interface WatchDefinitionsOptions {
  readonly client: KubeClient;
  readonly discovery: Discovery;
  readonly clock: Clock;
  readonly random: () => number;
  /** What the server serves has changed, or is about to: it catches up with a definition within seconds. */
  readonly onMove: () => void;
}

/** The kinds whose objects decide what a server serves. */
const definingKinds = [
  'CustomResourceDefinition.apiextensions.k8s.io',
  'APIService.apiregistration.k8s.io',
] as const;
const silenceMs = 90_000;

/**
 * Follows what defines kinds, whoever it belongs to, by its metadata alone. Where that is forbidden nothing is told, and
 * what the server serves is only seen when it is asked anyway.
 * @returns what ends it.
 */
export function watchDefinitions(options: WatchDefinitionsOptions): () => Promise<void> {
  const store = new OwnedStore();
  const watches = definingKinds.flatMap((groupKind) => {
    const resource = options.discovery.findGroupKind(groupKind);
    if (resource === undefined) return [];
    // What is there at first is no news.
    let isKnown = false;
    return new KindWatch({
      client: options.client,
      resource,
      labelSelector: '',
      reading: metadataReading,
      store,
      silenceMs,
      clock: options.clock,
      random: options.random,
      isWatchedClosely: () => true,
      onChange: () => {
        if (isKnown) options.onMove();
      },
      onHealth: () => undefined,
      onState: ({ state }) => {
        isKnown ||= state === 'synced';
      },
      onHeard: () => undefined,
      onRecovered: () => undefined,
    });
  });
  return async () => {
    await Promise.all(watches.map((watch) => watch.stop()));
  };
}
