import type { Change } from '../model/change.ts';
import { isApplied, type Observation } from '../model/observation.ts';
import { groupKindOf } from '../model/object-ref.ts';
import { planCluster, type PlannedCluster } from '../plan/plan-cluster.ts';
import type { Preparation } from '../plan/prepare-objects.ts';
import { pruneCandidates } from '../plan/prune/prune-candidates.ts';
import type { Triage } from '../plan/triage.ts';
import type { ApprovalsInForce } from './approvals-in-force.ts';
import type { ClusterState, SyncTask } from './cluster-state.ts';
import { findCascades } from './find-cascades.ts';
import { waitContext } from './wait-context.ts';
import { graceEnds } from './grace.ts';

export interface Observed {
  readonly preparation: Preparation;
  readonly sorted: Triage;
  readonly observations: ReadonlyMap<string, Observation>;
  readonly approvals: ApprovalsInForce;
  readonly remembered: readonly Change[];
}

/** Finds out what pruning would take along, and makes the plan. */
export async function planChanges(
  task: SyncTask,
  { preparation, sorted, observations, approvals, remembered }: Observed,
): Promise<PlannedCluster & { readonly unreadable: readonly string[] }> {
  const { state, desired, store, policy, clock, signal } = task;
  const owned = [...state.inventory.owned()].filter(isApplied);
  const scope = task.generators === undefined ? {} : { generators: task.generators };
  const candidates = pruneCandidates({ owned, preparation, ...scope });
  const cascades = await findCascades({ client: state.client, candidates, signal });
  const blank = task.assumeApplied === true && state.baselines.size === 0 && state.groupKinds !== undefined;
  const unreadable = [...cascades].flatMap(([key, { state: known }]) =>
    known === 'unreadable' ? [key] : [],
  );
  const planned = planCluster({
    cluster: state.name,
    applySetId: state.applySetId,
    maskKey: store.maskKey(),
    isApproved: approvals.isApproved,
    baseline: (key) => state.baselines.get(key),
    // Without the parent this is another cluster, or one built anew: what is absent was never here.
    wasApplied: (object) =>
      state.groupKinds !== undefined &&
      (blank || state.baselines.get(object.key)?.desiredHash === object.hash),
    desired,
    preparation,
    triage: sorted,
    observations,
    owned,
    unreadableKinds: unreadableKinds(
      state,
      owned.map((object) => groupKindOf(object.ref)),
    ),
    cascades,
    policy,
    graceEndsAt: graceEnds(task),
    now: clock.now(),
    waiting: { ...waitContext(state), remembered },
    ...scope,
  });
  return { ...planned, unreadable };
}

function unreadableKinds(state: ClusterState, groupKinds: readonly string[]): Set<string> {
  const failed = new Set(state.discovery.failedGroups);
  return new Set(
    groupKinds.filter((groupKind) => {
      const dot = groupKind.indexOf('.');
      return (
        failed.has(dot < 0 ? '' : groupKind.slice(dot + 1)) ||
        state.inventory.kindState(groupKind).state !== 'synced'
      );
    }),
  );
}
