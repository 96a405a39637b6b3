import { isWaiting } from '../model/change.ts';
import type { OwnedObject } from '../model/observation.ts';
import { refKey } from '../model/object-ref.ts';
import type { PreparedObject } from '../model/plan.ts';
import { Waits } from '../plan/order/waits.ts';
import type { PlannedCluster } from '../plan/plan-cluster.ts';
import type { Preparation } from '../plan/prepare-objects.ts';
import type { SyncTask } from './cluster-state.ts';
import { waitContext } from './wait-context.ts';
import type { Remembered, RetryMemory } from './retry-memory.ts';

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
  let made: Waits | undefined;
  const waits = (): Waits =>
    (made ??= new Waits({
      ...preparation,
      ...waitContext(task.state),
      generators: task.desired.generators,
    }));
  const due: PreparedObject[] = [];
  const remembered: Remembered[] = [];
  const seen = new Map<string, OwnedObject>();
  for (const object of preparation.objects) {
    if (task.generators?.has(object.origin.generator) === false) continue;
    const owned = task.state.inventory.get(object.ref);
    const known = task.mode === 'apply' ? task.state.retries.recall(object, owned) : undefined;
    const still =
      known === undefined ? undefined : asItIsNow(known, object, { waits, retries: task.state.retries });
    if (still !== undefined) {
      remembered.push(still);
      continue;
    }
    due.push(object);
    if (owned !== undefined) seen.set(object.key, owned);
  }
  return { due, remembered, seen };
}

/** What waits is due as soon as it need not any more; until then, what it waits for moves on. */
function asItIsNow(
  known: Remembered,
  object: PreparedObject,
  { waits, retries }: { waits: () => Waits; retries: RetryMemory },
): Remembered | undefined {
  if (!isWaiting(known.change)) return known;
  const wait = waits().of(object);
  const { ref, origin } = object;
  if (wait === undefined) return undefined;
  const change = { action: 'pending', ref, origin, fields: [], ...wait } as const;
  retries.renew(object.key, change);
  return { ...known, change };
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
