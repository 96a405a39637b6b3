import { setTimeout as sleep } from 'node:timers/promises';
import { discover, type ResourceInfo } from '../../../src/kube/discovery.ts';
import type { KubeClient } from '../../../src/kube/kube-client.ts';
import { partOfLabel } from '../../../src/model/apply-set.ts';
import { type JsonObject, objectAt } from '../../../src/model/json.ts';
import { formatRef } from '../../../src/model/object-ref.ts';
import type { KindState, OwnedChange } from '../../../src/observe/inventory.ts';
import { type ClusterObserver, type ObserverOptions, openObserver } from '../../../src/observe/observer.ts';
import { deadline } from '../kube/kube-fixture.ts';

/** An observer together with all that it told. */
export interface Watched {
  readonly observer: ClusterObserver;
  readonly changes: OwnedChange[];
  readonly states: string[];
  /** Resolves with the first change, from now on, for which the condition holds. */
  next(about: string, condition?: (change: OwnedChange) => boolean): Promise<OwnedChange>;
}

const opened: ClusterObserver[] = [];
after(() => Promise.all(opened.splice(0).map((observer) => observer.stop())));

/** Watches kinds, given as 'v1/ConfigMap' or 'apps/v1/Deployment', and waits until that is settled. */
export async function watch(
  client: KubeClient,
  kinds: readonly string[],
  options: Pick<ObserverOptions, 'applySetId'> & Partial<ObserverOptions>,
): Promise<Watched> {
  const changes: OwnedChange[] = [];
  const states: string[] = [];
  const observer = openObserver({
    client,
    onChange: (change) => changes.push(change),
    onKindState: (groupKind, state) => states.push(`${groupKind} ${describeState(state)}`),
    ...options,
  });
  opened.push(observer);
  observer.watch(await resourcesOf(client, kinds));
  await observer.whenSettled(deadline());
  return {
    observer,
    changes,
    states,
    async next(about, condition = () => true) {
      const from = changes.length;
      return eventually(about, () => changes.slice(from).find(condition));
    },
  };
}

export async function resourcesOf(client: KubeClient, kinds: readonly string[]): Promise<ResourceInfo[]> {
  const discovery = await discover(client, deadline());
  return kinds.map((kind) => {
    const slash = kind.lastIndexOf('/');
    const found = discovery.find(kind.slice(0, slash), kind.slice(slash + 1));
    if (found === undefined) throw new Error(`${kind} is not served`);
    return found;
  });
}

/** 'synced', 'syncing' or 'failed Forbidden'. */
export function describeState(state: KindState): string {
  return state.state === 'failed' ? `failed ${state.error.code}` : state.state;
}

/** The object with the label that makes it part of an ApplySet. */
export function partOf(applySetId: string, object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  return {
    ...object,
    metadata: { ...metadata, labels: { ...objectAt(metadata, 'labels'), [partOfLabel]: applySetId } },
  };
}

/** The owned objects, for comparison: 'ConfigMap/a in shop'. */
export function names(observer: ClusterObserver): string[] {
  return [...observer.owned()].map((owned) => formatRef(owned.ref)).sort();
}

/** The first value that is not undefined or false; fails, naming what it waited for, when none comes in time. */
export async function eventually<T>(about: string, probe: () => T | undefined | false): Promise<T> {
  const endsAtMs = Date.now() + 45_000;
  for (;;) {
    const value = probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > endsAtMs) throw new Error(`waited in vain: ${about}`);
    await sleep(10);
  }
}
