import { applyPlan } from '../apply/apply-plan.ts';
import { parentRef } from '../apply/apply-set-parent.ts';
import { type Change, type Drift, isWaiting } from '../model/change.ts';
import type { FleetError } from '../model/fleet-error.ts';
import { compareRefs, type ObjectRef, refKey } from '../model/object-ref.ts';
import type { PreparedObject } from '../model/plan.ts';
import type { FoundDrift } from '../plan/decide/decision.ts';
import { definedKinds, isDefinition } from '../plan/definitions.ts';
import { type Preparation, prepareObjects } from '../plan/prepare-objects.ts';
import type { SyncTask } from './cluster-state.ts';
import { applyResults } from './apply-results.ts';
import { approvalsInForce } from './approvals-in-force.ts';
import { growParent, shrinkParent } from './keep-parent.ts';
import { type KindTable, kindTable } from './kind-table.ts';
import { type Findings, nameWriters } from './name-writers.ts';
import { predictChanges } from './predict-changes.ts';
import { observeObjects, triageObjects } from './observe-objects.ts';
import { planChanges } from './plan-changes.ts';
import { recall, rememberSettled } from './recall-findings.ts';
import type { Remembered } from './retry-memory.ts';
import { unlistedKinds } from './unlisted-kinds.ts';

export interface SyncOutcome {
  readonly changes: readonly Change[];
  readonly drifts: readonly Drift[];
  readonly errors: readonly FleetError[];
  /** What a person should know beside the warnings of Git. */
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
  const observations = await observeObjects(task, sorted, kinds);
  const approvals = approvalsInForce(task);
  const planned = await planChanges(task, {
    preparation,
    sorted,
    observations,
    approvals,
    remembered: remembered.map(({ change }) => change),
  });
  const drifts = [...planned.drifts, ...remembered.flatMap((entry) => entry.drift ?? [])];
  const unlisted = unlistedKinds(task, preparation);
  const settled = [...planned.plan.settled, ...remembered.map((entry) => entry.change), ...unlisted.changes];
  const known = new Set(remembered.map(({ change }) => refKey(change.ref)));
  const noticed = (drift: FoundDrift): Drift => ({ ...drift, detectedAt: startedAt });
  const naming = { preparation, kinds, known };
  if (task.mode === 'preview') {
    const predicted = predictChanges(planned.plan, { observations, maskKey: task.store.maskKey() });
    const found = { changes: [...settled, ...predicted], drifts: drifts.map(noticed) };
    const named = await nameWriters(task, found, naming);
    return outcome(task, { ...named, errors: unlisted.errors, unsettled: [] });
  }
  rememberSettled(task, { due, seen, planned });
  approvals.release();
  await growParent(task, preparation);
  const results = applyResults(task, { planned, due, seen, startedAt });
  await applyPlan(planned.plan, {
    client: task.state.client,
    resolve: kinds.resolve,
    signal: task.signal,
    clock: task.clock,
    missing: unservedDefinitions(preparation, settled, kinds),
    unsettled: unsettledIn(settled),
    onResult: results.collect,
  });
  // What was done is kept, also where the rest was called off.
  const { changes, corrected } = results.finish();
  const left = stillThere(drifts, changes).map(noticed);
  const done = { changes: [...settled, ...changes], drifts: [...corrected, ...left] };
  const named = await nameWriters(task, done, naming);
  recordCorrected(task, named);
  task.signal.throwIfAborted();
  await shrinkParent(task, preparation);
  if (isWhole(task, remembered)) approvals.endUnused();
  return outcome(task, {
    ...named,
    errors: unlisted.errors,
    unsettled: [...planned.unreadable, ...task.state.discovery.failedGroups, ...failedDeletions(changes)],
  });
}

/** The history has what was corrected, with who had made it necessary. */
function recordCorrected({ state, store }: SyncTask, { drifts }: Findings): void {
  store.recordDrifts(
    state.name,
    drifts.filter(({ action }) => action === 'corrected'),
  );
}

/** Nothing that an approval may be for was left out of the plan. */
function isWhole({ desired, generators }: SyncTask, remembered: readonly Remembered[]): boolean {
  const waits = remembered.some(({ change }) => change.action === 'failed' || change.action === 'held');
  return generators === undefined && desired.faults.length === 0 && !waits;
}

/** What failed, is held or is on its way out. Drift that is left by policy stops nobody, nor does what itself waits. */
function unsettledIn(settled: readonly Change[]): ObjectRef[] {
  const done = new Set<Change['action']>(['unchanged', 'skipped']);
  return settled.flatMap((change) => (done.has(change.action) || isWaiting(change) ? [] : [change.ref]));
}

/** Definitions that fail, and whose kinds are not served: what is of these kinds need not be tried. */
function unservedDefinitions(
  preparation: Preparation,
  settled: readonly Change[],
  kinds: KindTable,
): PreparedObject[] {
  const failed = new Set(
    settled.flatMap((change) => (change.action === 'failed' ? [refKey(change.ref)] : [])),
  );
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

/** Objects that Git wants have a retry of their own; those that it does not want have none. */
function failedDeletions(changes: readonly Change[]): string[] {
  return changes
    .filter(({ action, origin }) => action === 'failed' && origin.file === '')
    .map(({ ref }) => refKey(ref));
}

/** Drift that no write has ended: it was corrected, deleted, or turned out to be none. Additions outlive every write. */
function stillThere(found: readonly FoundDrift[], changes: readonly Change[]): FoundDrift[] {
  const written = new Set(changes.filter(({ action }) => action !== 'failed').map(({ ref }) => refKey(ref)));
  return found.filter((drift) => drift.action !== 'pending' || !written.has(refKey(drift.ref)));
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
    warnings: state.audit?.fault === undefined ? [] : [state.audit.fault],
    unsettled,
  };
}
