import type { OwnedObject } from '../model/observation.ts';
import { refKey } from '../model/object-ref.ts';
import type { PreparedObject } from '../model/plan.ts';
import type { PlannedCluster } from '../plan/plan-cluster.ts';
import type { Preparation } from '../plan/prepare-objects.ts';
import type { SyncTask } from './cluster-state.ts';
import type { Remembered } from './retry-memory.ts';

export interface Recalled {
  readonly due: readonly PreparedObject[];
  readonly remembered: readonly Remembered[];
  /** What was known of each due object when the sync began: what is found out holds for that, not for what came since. */
  readonly seen: ReadonlyMap<string, OwnedObject>;
}

/** Parts what is worth looking at from what was found before and has not moved since. */
export function recall(task: SyncTask, preparation: Preparation): Recalled {
  if (task.mode === 'apply' && task.generators === undefined)
    task.state.retries.keepOnly(preparation.objects);
  const due: PreparedObject[] = [];
  const remembered: Remembered[] = [];
  const seen = new Map<string, OwnedObject>();
  for (const object of preparation.objects) {
    if (task.generators?.has(object.origin.generator) === false) continue;
    const owned = task.state.inventory.get(object.ref);
    const known = task.mode === 'apply' ? task.state.retries.recall(object, owned) : undefined;
    if (known !== undefined) {
      remembered.push(known);
      continue;
    }
    due.push(object);
    if (owned !== undefined) seen.set(object.key, owned);
  }
  return { due, remembered, seen };
}

/** What needed no write is remembered too: as proof for the next time, or so that it is not asked again at once. */
export function rememberSettled(
  { state }: SyncTask,
  { due, seen, planned }: Omit<Recalled, 'remembered'> & { readonly planned: PlannedCluster },
): void {
  const objects = new Map(due.map((object) => [object.key, object]));
  const drifts = new Map(planned.drifts.map((drift) => [refKey(drift.ref), drift]));
  for (const change of planned.plan.settled) {
    const object = objects.get(refKey(change.ref));
    const drift = drifts.get(refKey(change.ref));
    if (object === undefined) continue;
    state.retries.record(object, seen.get(object.key), {
      change,
      ...(drift === undefined ? {} : { drift }),
    });
  }
}
