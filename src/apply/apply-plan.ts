import pLimit from 'p-limit';

import { applyObject, deleteObject } from '../kube/objects.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import type { Clock } from '../kube/clock.ts';
import type { ResourceInfo } from '../kube/discovery.ts';
import { FleetError, toFleetError } from '../model/fleet-error.ts';
import { stringAt } from '../model/json.ts';
import { bodyWithout } from '../model/left-fields.ts';
import { isReplaceable, reasonToReplace } from '../model/replacement.ts';
import { groupKindOf, type ObjectRef, refKey } from '../model/object-ref.ts';
import type { ClusterPlan, PlannedWrite, PreparedObject } from '../model/plan.ts';
import { addBlocker, blockedBy, type Blockers, noBlockers } from './blocked-by.ts';
import { handOverFields } from './hand-over-fields.ts';
import { orphanObject } from './orphan-object.ts';
import { removeToReplace } from './replace-object.ts';
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
  const { client, signal } = run;
  const how =
    write.orphan === true
      ? await orphanObject(write.owned, { client, resource, signal })
      : await deleteObject(client, resource, ref, { uid, signal });
  return { outcome: 'deleted', write, how };
}

type Put = Extract<PlannedWrite, { action: 'create' | 'configure' }>;

async function put(write: Put, run: Run): Promise<WriteResult> {
  const { ref } = write.object;
  const resource = run.resolve(ref);
  if (resource === undefined)
    throw new FleetError('KindUnknown', `the cluster serves no ${ref.kind} in ${ref.apiVersion}`);
  const written =
    write.action === 'create' ? await create(write, resource, run) : await configure(write, resource, run);
  if (groupKindOf(ref) === 'CustomResourceDefinition.apiextensions.k8s.io') {
    for (const kind of await waitForDefinition(run.client, written.object, run.signal)) run.fresh.add(kind);
  }
  const { client, signal } = run;
  const object = await handOverFields(written.object, write.object, { client, resource, signal });
  return { outcome: 'applied', write, ...written, object };
}

type Written = Pick<Extract<WriteResult, { outcome: 'applied' }>, 'object' | 'warnings'> & {
  readonly write?: Put;
};

async function create({ object }: Pick<Put, 'object'>, resource: ResourceInfo, run: Run): Promise<Written> {
  const apply = (): ReturnType<typeof applyObject> =>
    applyObject(run.client, resource, object.body, { force: false, dryRun: false, signal: run.signal });
  return untilServed(apply, object.ref, run);
}

/** Only what was seen to be ours, or was approved, is written by force. */
async function configure(
  write: Extract<Put, { action: 'configure' }>,
  resource: ResourceInfo,
  run: Run,
): Promise<Written> {
  const { object, live } = write;
  const { client, signal, clock } = run;
  const apply = (): ReturnType<typeof applyObject> =>
    applyObject(client, resource, bodyWithout(object), { force: true, dryRun: false, signal });
  await handOverFields(live, object, { client, resource, signal });
  try {
    return await untilServed(apply, object.ref, run);
  } catch (thrown) {
    const error = toFleetError(thrown);
    const mayReplace = object.apply === 'replace' && isReplaceable(object.ref);
    if (error.code !== 'FieldImmutable' || !mayReplace) throw error;
    const uid = stringAt(live, 'metadata', 'uid') ?? '';
    await removeToReplace(object.ref, { client, resource, uid, clock, signal });
    const created = await create(write, resource, run);
    return { ...created, write: { ...write, reason: reasonToReplace(error) } };
  }
}

const servedTries = 20;
const servedPauseMs = 100;

/** A new kind's path answers 404 for a moment after its definition is established: each server learns of it by itself. */
async function untilServed<T>(apply: () => Promise<T>, ref: ObjectRef, run: Run): Promise<T> {
  const isFresh = run.fresh.has(groupKindOf(ref));
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply();
    } catch (error) {
      if (!isFresh || tries >= servedTries || toFleetError(error).code !== 'KindUnknown') throw error;
      await run.clock.sleep(servedPauseMs, run.signal);
    }
  }
}

function subjectOf(write: PlannedWrite): ConstructorParameters<typeof FleetError>[2] & object {
  return write.action === 'delete'
    ? { ref: write.owned.ref, origin: write.origin }
    : { ref: write.object.ref, origin: write.object.origin };
}
