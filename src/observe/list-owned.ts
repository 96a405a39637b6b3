import pLimit from 'p-limit';

import { partOfLabel } from '../model/apply-set.ts';
import { FleetError, toFleetError } from '../model/fleet-error.ts';
import { groupKindOf } from '../model/object-ref.ts';
import type { ResourceInfo } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { listMetadata } from '../kube/objects.ts';
import type { Inventory, KindState } from './inventory.ts';
import { OwnedStore } from './owned-store.ts';
import { reduceOwned } from './reduce-owned.ts';

export interface ListOwnedOptions {
  readonly client: KubeClient;
  readonly resources: readonly ResourceInfo[];
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
  const { client, applySetId, signal } = options;
  try {
    const { items } = await listMetadata(client, resource, {
      labelSelector: `${partOfLabel}=${applySetId}`,
      signal,
    });
    for (const item of items) store.put(reduceOwned(item, resource));
    return { state: 'synced' };
  } catch (error) {
    signal.throwIfAborted();
    return { state: 'failed', error: toFleetError(error) };
  }
}

function notListed(groupKind: string): KindState {
  return { state: 'failed', error: new FleetError('KindUnknown', `${groupKind} was not listed`) };
}
