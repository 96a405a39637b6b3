import type { WriteResult } from '../apply/write-result.ts';
import type { Change, Drift } from '../model/change.ts';
import type { Baseline, OwnedObject } from '../model/observation.ts';
import { refKey } from '../model/object-ref.ts';
import type { PreparedObject } from '../model/plan.ts';
import { reduceOwned } from '../observe/reduce-owned.ts';
import type { PlannedCluster } from '../plan/plan-cluster.ts';
import type { SyncTask } from './cluster-state.ts';
import { baselineOf, type Collected, collectResult } from './collect-results.ts';
import type { Remembered } from './retry-memory.ts';

interface Planned {
  readonly planned: PlannedCluster;
  readonly due: readonly PreparedObject[];
  /** What was known of each when the sync began, by key. */
  readonly seen: ReadonlyMap<string, OwnedObject>;
  readonly startedAt: string;
}

export interface ResultCollector {
  readonly collect: (result: WriteResult) => void;
  /** Saves the new baselines, and gives what was done. */
  readonly finish: () => { readonly changes: readonly Change[]; readonly corrected: readonly Drift[] };
}

/** Takes in results as they come: the inventory and the baselines know of our own writes before the watch tells. */
export function applyResults(task: SyncTask, { planned, due, seen, startedAt }: Planned): ResultCollector {
  const { state, store, clock, onProgress } = task;
  const maskKey = store.maskKey();
  const changes: Change[] = [];
  const corrected: Drift[] = [];
  const saved = new Map<string, Baseline>(
    planned.proven.map(({ object, live }) => [object.key, baselineOf(object, live)]),
  );
  const removed = new Set<string>();
  const objects = new Map(due.map((object) => [object.key, object]));
  const total = planned.plan.stages.reduce((sum, stage) => sum + stage.length, 0);
  for (const [key, baseline] of saved) state.baselines.set(key, baseline);

  const collect = (result: WriteResult): void => {
    const collected = collectResult(result, {
      maskKey,
      detectedAt: startedAt,
      now: new Date(clock.now()).toISOString(),
    });
    changes.push(collected.change);
    if (collected.drift !== undefined) corrected.push(collected.drift);
    if (collected.baseline !== undefined) {
      saved.set(refKey(collected.baseline.ref), collected.baseline);
      state.baselines.set(refKey(collected.baseline.ref), collected.baseline);
    }
    if (collected.removedKey !== undefined) {
      removed.add(collected.removedKey);
      state.baselines.delete(collected.removedKey);
    }
    if (result.outcome === 'applied') state.inventory.recordApplied(result.write.object.ref, result.object);
    // What is no longer ours is gone, as far as an inventory of ours goes.
    if (result.outcome === 'deleted')
      state.inventory.recordDeleted(result.write.owned, result.how === 'orphaned' ? 'gone' : result.how);
    const object = objects.get(refKey(collected.change.ref));
    if (object !== undefined) {
      // Not what the watch tells by now: somebody may have changed it since.
      const judged =
        result.outcome === 'applied' ? reduceOwned(result.object, object.ref) : seen.get(object.key);
      state.retries.record(object, judged, afterwards(collected));
    }
    onProgress({ kind: 'cluster', cluster: state.name, phase: 'applying', done: changes.length, total });
  };

  const finish = (): ReturnType<ResultCollector['finish']> => {
    store.saveBaselines(state.name, [...saved.values()], [...removed]);
    return { changes, corrected };
  };
  return { collect, finish };
}

/** What is to be reported of an object from now on, while nothing moves. */
function afterwards({ change, remaining }: Collected): Remembered {
  if (change.action === 'failed') return { change };
  const { ref, origin } = change;
  return {
    change: { action: 'unchanged', ref, origin, fields: [] },
    ...(remaining === undefined ? {} : { drift: remaining }),
  };
}
