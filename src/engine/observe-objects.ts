import type { Observation } from '../model/observation.ts';
import { groupKindOf } from '../model/object-ref.ts';
import type { PreparedObject } from '../model/plan.ts';
import { inspectObjects } from '../observe/inspect-objects.ts';
import { type Triage, triage } from '../plan/triage.ts';
import type { SyncTask } from './cluster-state.ts';
import type { KindTable } from './kind-table.ts';

/** Sorts objects by what the inventory and the last write tell of them. */
export function triageObjects({ state }: SyncTask, due: readonly PreparedObject[]): Triage {
  return triage(due, {
    owned: (object) => state.inventory.get(object.ref),
    baseline: (key) => state.baselines.get(key),
  });
}

/** Reads what these cannot tell. What a kind that cannot be read may hold is unreadable, never absent. */
export async function observeObjects(
  task: SyncTask,
  sorted: Triage,
  kinds: KindTable,
): Promise<Map<string, Observation>> {
  const { state, signal, mode, onProgress } = task;
  const unreadable = new Map<string, Observation>();
  const isKnown = (object: PreparedObject): boolean => {
    const kind = state.inventory.kindState(groupKindOf(object.ref));
    // Somebody may be allowed to read single objects and not to list: then each is looked for by its name.
    if (kind.state !== 'failed' || kind.error.code === 'KindUnknown' || kind.error.code === 'Forbidden')
      return true;
    unreadable.set(object.key, { state: 'unreadable', error: kind.error });
    return false;
  };
  return inspectObjects(sorted.suspect, sorted.unseen.filter(isKnown), {
    client: state.client,
    resolve: kinds.resolve,
    isServed: (object) => kinds.isServed(object.ref),
    applySetId: state.applySetId,
    dryRun: mode === 'preview' ? 'all' : 'undecided',
    hasBaseline: (object) => state.baselines.has(object.key),
    signal,
    onProgress: (done, total) => {
      onProgress({ kind: 'cluster', cluster: state.name, phase: 'observing', done, total });
    },
  }).then((observations) => new Map([...observations, ...unreadable]));
}
