import { applyPlan } from '../apply/apply-plan.ts';
import { parentRef } from '../apply/apply-set-parent.ts';
import type { Change, Drift } from '../model/change.ts';
import type { FleetError } from '../model/fleet-error.ts';
import { isApplied, type Observation, type OwnedObject } from '../model/observation.ts';
import { compareRefs, groupKindOf, refKey } from '../model/object-ref.ts';
import type { PreparedObject } from '../model/plan.ts';
import { inspectObjects } from '../observe/inspect-objects.ts';
import type { FoundDrift } from '../plan/decide/decision.ts';
import { definedKinds, isDefinition } from '../plan/definitions.ts';
import { planCluster, type PlannedCluster } from '../plan/plan-cluster.ts';
import { type Preparation, prepareObjects } from '../plan/prepare-objects.ts';
import { pruneCandidates } from '../plan/prune/prune-candidates.ts';
import { type Triage, triage } from '../plan/triage.ts';
import type { ClusterState, SyncTask } from './cluster-state.ts';
import { applyResults } from './apply-results.ts';
import { graceEnds } from './grace.ts';
import { findCascades } from './find-cascades.ts';
import { growParent, shrinkParent } from './keep-parent.ts';
import { type KindTable, kindTable } from './kind-table.ts';
import { predictChanges } from './predict-changes.ts';
import type { Remembered } from './retry-memory.ts';
import { unlistedKinds } from './unlisted-kinds.ts';

export interface SyncOutcome {
  readonly changes: readonly Change[];
  readonly drifts: readonly Drift[];
  readonly errors: readonly FleetError[];
  readonly warnings: readonly string[];
  /** What was left undone for a reason that may pass without an event to tell of it. */
  readonly unsettled: readonly string[];
}

/**
 * Brings one cluster to its desired state, or tells what that would take:
 * desired → observe → plan → apply → report.
 * @throws FleetError when the cluster cannot be spoken to; a failed object is in the outcome.
 */
export async function syncCluster(task: SyncTask): Promise<SyncOutcome> {
  const startedAt = new Date(task.clock.now()).toISOString();
  const kinds = kindTable(task.state.discovery, task.desired.objects);
  const preparation = prepare(task, kinds);
  const { due, remembered, seen } = recall(task, preparation);
  const sorted = triageObjects(task, due);
  const observations = await observe(task, sorted, kinds);
  const planned = await plan(task, { preparation, sorted, observations });
  const drifts = [...planned.drifts, ...remembered.flatMap((entry) => entry.drift ?? [])];
  const unlisted = unlistedKinds(task, preparation);
  const settled = [...planned.plan.settled, ...remembered.map((entry) => entry.change), ...unlisted.changes];
  if (task.mode === 'preview') {
    const predicted = predictChanges(planned.plan, { observations, maskKey: task.store.maskKey() });
    return outcome(task, {
      changes: [...settled, ...predicted],
      drifts: drifts.map((drift) => ({ ...drift, detectedAt: startedAt })),
      errors: unlisted.errors,
      unsettled: [],
    });
  }
  rememberSettled(task, { due, seen, planned });
  await growParent(task, preparation);
  const results = applyResults(task, { planned, due, seen, startedAt });
  await applyPlan(planned.plan, {
    client: task.state.client,
    resolve: kinds.resolve,
    signal: task.signal,
    clock: task.clock,
    missing: unservedDefinitions(preparation, settled, kinds),
    onResult: results.collect,
  });
  // What was done is kept, also where the rest was called off.
  const { changes, corrected } = results.finish();
  task.signal.throwIfAborted();
  await shrinkParent(task, preparation);
  const left = stillThere(drifts, changes).map((drift) => ({ ...drift, detectedAt: startedAt }));
  return outcome(task, {
    changes: [...settled, ...changes],
    drifts: [...corrected, ...left],
    errors: unlisted.errors,
    unsettled: [...planned.unreadable, ...task.state.discovery.failedGroups, ...failedDeletions(changes)],
  });
}

/** Definitions that fail, and whose kinds are not served: what is of these kinds need not be tried. */
function unservedDefinitions(
  preparation: Preparation,
  settled: readonly Change[],
  kinds: KindTable,
): PreparedObject[] {
  const failed = new Set(settled.flatMap((change) => (change.action === 'failed' ? [keyOf(change)] : [])));
  return preparation.objects.filter(
    ({ key, ref, body }) =>
      failed.has(key) &&
      isDefinition(ref) &&
      definedKinds([{ ref, manifest: body }]).every((kind) => !kinds.isServed(kind)),
  );
}

function prepare(task: SyncTask, kinds: KindTable): Preparation {
  const { desired, state, policy } = task;
  return prepareObjects(desired, {
    applySetId: state.applySetId,
    scopeOf: kinds.scopeOf,
    driftPolicy: policy.drift,
    parentKey: refKey(parentRef(state.fleet)),
  });
}

interface Recalled {
  readonly due: readonly PreparedObject[];
  readonly remembered: readonly Remembered[];
  /** What was known of each due object when the sync began: what is found out holds for that, not for what came since. */
  readonly seen: ReadonlyMap<string, OwnedObject>;
}

function recall(task: SyncTask, preparation: Preparation): Recalled {
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

function triageObjects({ state }: SyncTask, due: readonly PreparedObject[]): Triage {
  return triage(due, {
    owned: (object) => state.inventory.get(object.ref),
    baseline: (key) => state.baselines.get(key),
  });
}

function observe(task: SyncTask, sorted: Triage, kinds: KindTable): Promise<Map<string, Observation>> {
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

interface Observed {
  readonly preparation: Preparation;
  readonly sorted: Triage;
  readonly observations: ReadonlyMap<string, Observation>;
}

async function plan(
  task: SyncTask,
  { preparation, sorted, observations }: Observed,
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
    isApproved: (id) => store.isApproved(id),
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
    ...scope,
  });
  return { ...planned, unreadable };
}

/** Objects that Git wants have a retry of their own; those that it does not want have none. */
function failedDeletions(changes: readonly Change[]): string[] {
  return changes.filter(({ action, origin }) => action === 'failed' && origin.file === '').map(keyOf);
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

/** What needed no write is remembered too: as proof for the next time, or so that it is not asked again at once. */
function rememberSettled(
  { state }: SyncTask,
  { due, seen, planned }: Omit<Recalled, 'remembered'> & { readonly planned: PlannedCluster },
): void {
  const objects = new Map(due.map((object) => [object.key, object]));
  const drifts = new Map(planned.drifts.map((drift) => [keyOf(drift), drift]));
  for (const change of planned.plan.settled) {
    const object = objects.get(keyOf(change));
    const drift = drifts.get(keyOf(change));
    if (object === undefined) continue;
    state.retries.record(object, seen.get(object.key), {
      change,
      ...(drift === undefined ? {} : { drift }),
    });
  }
}

/** Drift that no write has ended: it was corrected, deleted, or turned out to be none. Additions outlive every write. */
function stillThere(found: readonly FoundDrift[], changes: readonly Change[]): FoundDrift[] {
  const written = new Set(changes.filter(({ action }) => action !== 'failed').map(keyOf));
  return found.filter((drift) => drift.action !== 'pending' || !written.has(keyOf(drift)));
}

function keyOf({ ref }: Pick<Change, 'ref'>): string {
  return `${groupKindOf(ref)}/${ref.namespace}/${ref.name}`;
}

function outcome(
  { desired, state }: SyncTask,
  { changes, drifts, errors, unsettled }: Omit<SyncOutcome, 'warnings'>,
): SyncOutcome {
  const faults = desired.faults.map((fault) => fault.about({ cluster: state.name }));
  return {
    changes: changes.toSorted((a, b) => compareRefs(a.ref, b.ref)),
    drifts: drifts.toSorted((a, b) => compareRefs(a.ref, b.ref)),
    errors: [...faults, ...errors],
    warnings: desired.warnings,
    unsettled,
  };
}
