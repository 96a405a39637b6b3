import pLimit from 'p-limit';

import { partOfLabel } from '../model/apply-set.ts';
import { FleetError, toFleetError } from '../model/fleet-error.ts';
import { groupKindOf } from '../model/object-ref.ts';
import type { ResourceInfo } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { listMetadata } from '../kube/objects.ts';
import type { Inventory, KindState } from './inventory.ts';
import { OwnedStore } from './owned-store.ts';
import { healthReading, metadataReading } from './reading.ts';

export interface ListOwnedOptions {
  readonly client: KubeClient;
  readonly resources: readonly ResourceInfo[];
  /** Kinds whose objects are read whole, so that their health is known; none unless given. */
  readonly whole?: ReadonlySet<string>;
  readonly applySetId: string;
  readonly signal: AbortSignal;
}

/** Kinds listed at a time. */
const concurrency = 8;

/** The owned objects of one cluster, listed once: for commands that look and end. A kind that cannot be listed is failed. */
export async function listOwned(options: ListOwnedOptions): Promise<Inventory> {
  const store = new OwnedStore();
  const states = new Map<string, KindState>();
  const limit = pLimit(concurrency);
  await Promise.all(
    options.resources.map((resource) =>
      limit(async () => {
        states.set(groupKindOf(resource), await listKind(resource, store, options));
      }),
    ),
  );
  return {
    kindState: (groupKind) => states.get(groupKind) ?? notListed(groupKind),
    owned: () => store.owned(),
    get: (ref) => store.get(ref),
  };
}

async function listKind(
  resource: ResourceInfo,
  store: OwnedStore,
  options: ListOwnedOptions,
): Promise<KindState> {
  const { client, applySetId, whole, signal } = options;
  const reading = whole?.has(groupKindOf(resource)) === true ? healthReading : metadataReading;
  try {
    const { items } = await listMetadata(client, resource, {
      labelSelector: `${partOfLabel}=${applySetId}`,
      accept: reading.accept.list,
      signal,
    });
    for (const item of items) store.put(reading.reduce(item, resource));
    return { state: 'synced' };
  } catch (error) {
    signal.throwIfAborted();
    return { state: 'failed', error: toFleetError(error) };
  }
}

function notListed(groupKind: string): KindState {
  return { state: 'failed', error: new FleetError('KindUnknown', `${groupKind} was not listed`) };
}
