import pLimit from 'p-limit';

import { applyObject, deleteObject } from '../kube/objects.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import type { Clock } from '../kube/clock.ts';
import { FleetError, toFleetError } from '../model/fleet-error.ts';
import type { JsonObject } from '../model/json.ts';
import { bodyWithout } from '../model/left-fields.ts';
import { groupKindOf, type ObjectRef, refKey } from '../model/object-ref.ts';
import type { ClusterPlan, PlannedWrite, PreparedObject } from '../model/plan.ts';
import { addBlocker, blockedBy, type Blockers, noBlockers } from './blocked-by.ts';
import { handOverFields } from './hand-over-fields.ts';
import type { ResolveResource } from '../kube/resolve-resource.ts';
import { waitForDefinition } from './wait-for-definition.ts';
import type { WriteResult } from './write-result.ts';

export interface ApplyOptions {
  readonly client: KubeClient;
  readonly resolve: ResolveResource;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Writes under way at once. */
  readonly concurrency?: number;
  /** What does not exist and is known to fail without another try. */
  readonly missing?: readonly PreparedObject[];
  /** What is not as Git wants it and is not written this time: what says that it depends on it has to wait. */
  readonly unsettled?: readonly ObjectRef[];
  /** Told each result as it comes, in the order of completion. */
  readonly onResult: (result: WriteResult) => void;
}

/** Enough to keep an API server busy; more only queue there. */
export const applyConcurrency = 48;

/**
 * Does what a plan says, stage by stage. Every object stands alone: one that fails stops only those that cannot
 * exist without it. When the cluster itself is lost, the rest is not tried. Never throws for a failed write.
 */
export async function applyPlan(plan: ClusterPlan, options: ApplyOptions): Promise<void> {
  const run: Run = { ...options, blockers: noBlockers(), lost: undefined, fresh: new Set() };
  const limit = pLimit(options.concurrency ?? applyConcurrency);
  for (const object of options.missing ?? []) addBlocker(run.blockers, object);
  for (const ref of options.unsettled ?? []) run.blockers.objects.set(refKey(ref), ref);
  for (const stage of plan.stages) {
    await Promise.all(stage.map((write) => limit(() => perform(write, run))));
  }
}

interface Run extends ApplyOptions {
  readonly blockers: Blockers;
  /** Kinds that this run brought to the cluster. */
  readonly fresh: Set<string>;
  /** Why the cluster can no longer be written to. */
  lost: FleetError | undefined;
}

async function perform(write: PlannedWrite, run: Run): Promise<void> {
  let result: WriteResult;
  try {
    result = await attempt(write, run);
  } catch (thrown) {
    const error = toFleetError(thrown, subjectOf(write));
    if (error.code === 'ClusterUnreachable' || error.code === 'ClusterUnauthorized') run.lost ??= error;
    // One that exists serves those inside although its change failed.
    if (write.action === 'create') addBlocker(run.blockers, write.object);
    if (write.action !== 'delete') run.blockers.objects.set(write.object.key, write.object.ref);
    result = { outcome: 'failed', write, error };
  }
  run.onResult(result);
}

async function attempt(write: PlannedWrite, run: Run): Promise<WriteResult> {
  run.signal.throwIfAborted();
  if (run.lost !== undefined) throw run.lost;
  const blocker = blockedBy(run.blockers, write);
  if (blocker !== undefined)
    throw new FleetError('DependencyFailed', `it needs ${blocker}, which is not as Git wants it`);
  return write.action === 'delete' ? remove(write, run) : put(write, run);
}

async function remove(write: Extract<PlannedWrite, { action: 'delete' }>, run: Run): Promise<WriteResult> {
  const { ref, uid } = write.owned;
  const resource = run.resolve(ref);
  if (resource === undefined) return { outcome: 'deleted', write, how: 'gone' };
  const how = await deleteObject(run.client, resource, ref, { uid, signal: run.signal });
  return { outcome: 'deleted', write, how };
}

async function put(
  write: Extract<PlannedWrite, { action: 'create' | 'configure' }>,
  run: Run,
): Promise<WriteResult> {
  const { ref } = write.object;
  const resource = run.resolve(ref);
  if (resource === undefined)
    throw new FleetError('KindUnknown', `the cluster serves no ${ref.kind} in ${ref.apiVersion}`);
  const { client, signal } = run;
  const handOver = (live: JsonObject): Promise<JsonObject> =>
    handOverFields(live, write.object, { client, resource, signal });
  if (write.action === 'configure') await handOver(write.live);
  const body = write.action === 'create' ? write.object.body : bodyWithout(write.object);
  const apply = (): ReturnType<typeof applyObject> =>
    // Only what was seen to be ours, or was approved, is written by force.
    applyObject(client, resource, body, { force: write.action === 'configure', dryRun: false, signal });
  const { object, warnings } = run.fresh.has(groupKindOf(ref))
    ? await untilServed(apply, run)
    : await apply();
  if (groupKindOf(ref) === 'CustomResourceDefinition.apiextensions.k8s.io') {
    for (const kind of await waitForDefinition(client, object, signal)) run.fresh.add(kind);
  }
  return { outcome: 'applied', write, object: await handOver(object), warnings };
}

const servedTries = 20;
const servedPauseMs = 100;

/** A new kind's path answers 404 for a moment after its definition is established: each server learns of it by itself. */
async function untilServed<T>(apply: () => Promise<T>, run: Run): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply();
    } catch (error) {
      if (tries >= servedTries || toFleetError(error).code !== 'KindUnknown') throw error;
      await run.clock.sleep(servedPauseMs, run.signal);
    }
  }
}

function subjectOf(write: PlannedWrite): ConstructorParameters<typeof FleetError>[2] & object {
  return write.action === 'delete'
    ? { ref: write.owned.ref, origin: write.origin }
    : { ref: write.object.ref, origin: write.object.origin };
}
