import type { Change } from '../model/change.ts';
import type { DesiredState } from '../model/desired.ts';
import { FleetError } from '../model/fleet-error.ts';
import type { JsonObject } from '../model/json.ts';
import type { Observation, OwnedObject } from '../model/observation.ts';
import { compareRefs, compareText, refKey } from '../model/object-ref.ts';
import { formatOrigin } from '../model/origin.ts';
import type { ClusterPlan, PlannedWrite, PreparedObject } from '../model/plan.ts';
import type { SyncPolicy } from '../model/settings.ts';
import { decide } from './decide.ts';
import { type DecideContext, failed, type FoundDrift, waitForDeletion } from './decide/decision.ts';
import { anyDepends, isNewWish, type WaitContext, Waits } from './order/waits.ts';
import type { Cascade, PruneContext } from './prune/guard.ts';
import { planPrune } from './prune/plan-prune.ts';
import { pruneCandidates } from './prune/prune-candidates.ts';
import type { Preparation } from './prepare-objects.ts';
import { inStages } from './stages.ts';
import type { Triage } from './triage.ts';

export interface PlanInput extends DecideContext {
  readonly desired: DesiredState;
  readonly preparation: Preparation;
  readonly triage: Triage;
  /** What was read of each suspect and unseen object, by key. */
  readonly observations: ReadonlyMap<string, Observation>;
  readonly owned: readonly OwnedObject[];
  readonly unreadableKinds: ReadonlySet<string>;
  readonly cascades: ReadonlyMap<string, Cascade>;
  readonly policy: SyncPolicy;
  readonly graceEndsAt: (generator: string) => number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Consider what these generators bring and nothing else; all when undefined. */
  readonly generators?: ReadonlySet<string>;
  /** What tells whether that is ready which others depend on; nothing waits when undefined. */
  readonly waiting?: Pick<WaitContext, 'owned' | 'hasHealth'> & {
    /** What was found before of objects that are not looked at this time. */
    readonly remembered: readonly Change[];
  };
}

export interface PlannedCluster {
  readonly plan: ClusterPlan;
  readonly drifts: readonly FoundDrift[];
  /** Objects proven to be as Git wants them, with the live object that proves it. */
  readonly proven: readonly {
    readonly object: PreparedObject;
    readonly live: JsonObject;
  }[];
}

/** Makes the plan of one cluster from what Git wants and what is known. Pure: the same input gives the same plan. */
export function planCluster(input: PlanInput): PlannedCluster {
  const writes: PlannedWrite[] = [];
  const settled: Change[] = [...input.preparation.failures, ...untouched(input.triage)];
  const drifts: FoundDrift[] = [];
  const proven: PlannedCluster['proven'][number][] = [];
  for (const object of [...input.triage.suspect, ...input.triage.unseen]) {
    const observation = input.observations.get(object.key);
    const decision =
      observation === undefined ? failed(object, notLookedAt()) : decide(object, observation, input);
    if ('write' in decision.outcome) writes.push(decision.outcome.write);
    else settled.push(decision.outcome.settled);
    if (decision.drift !== undefined) drifts.push(decision.drift);
    if (decision.proven !== undefined) proven.push({ object, live: decision.proven });
  }
  const { ready, waiting } = partWaiting(writes, settled, input);
  settled.push(...waiting);
  const { deletions, kept } = planPrune(pruneContext(input), input.isApproved);
  settled.push(...kept);
  drifts.push(...deletions.map(({ owned, origin }) => extra({ ref: owned.ref, origin })), ...kept.map(extra));
  return {
    plan: { stages: inStages(ready, deletions), settled: settled.sort(compareFound) },
    drifts: drifts.sort(compareFound),
    proven,
  };
}

/** What Git newly wants waits for what it depends on. */
function partWaiting(
  writes: readonly PlannedWrite[],
  settled: readonly Change[],
  { waiting: known, preparation, desired: { generators } }: PlanInput,
): { ready: readonly PlannedWrite[]; waiting: readonly Change[] } {
  const context = { ...preparation, generators };
  if (known === undefined || !anyDepends(context)) return { ready: writes, waiting: [] };
  const waits = new Waits(
    { ...context, ...known },
    {
      writes: new Map(writes.map((write) => [keyOf(write), write])),
      settled: new Map([...known.remembered, ...settled].map((change) => [refKey(change.ref), change])),
    },
  );
  const waiting: Change[] = [];
  const ready = writes.filter((write) => {
    const wait = write.action !== 'delete' && isNewWish(write) ? waits.of(write.object) : undefined;
    if (wait === undefined || write.action === 'delete') return true;
    const { ref, origin } = write.object;
    waiting.push({ action: 'pending', ref, origin, fields: [], ...wait });
    return false;
  });
  return { ready, waiting };
}

function keyOf(write: PlannedWrite): string {
  return write.action === 'delete' ? refKey(write.owned.ref) : write.object.key;
}

/** Two manifests of one object are told by their place in Git. */
function compareFound(a: Pick<Change, 'ref' | 'origin'>, b: Pick<Change, 'ref' | 'origin'>): number {
  return compareRefs(a.ref, b.ref) || compareText(formatOrigin(a.origin), formatOrigin(b.origin));
}

function pruneContext(input: PlanInput): PruneContext {
  const desiredCounts = new Map<string, number>();
  for (const { origin } of input.desired.objects) {
    desiredCounts.set(origin.generator, (desiredCounts.get(origin.generator) ?? 0) + 1);
  }
  const { cluster, desired, policy, owned, unreadableKinds, cascades, graceEndsAt, now } = input;
  return {
    cluster,
    desired,
    policy,
    owned,
    unreadableKinds,
    cascades,
    graceEndsAt,
    now,
    desiredCounts,
    candidates: pruneCandidates(input),
  };
}

/** An object without an observation must not vanish from the report, as if nobody had asked for it. */
function notLookedAt(): FleetError {
  return new FleetError('Internal', 'it was not looked at in the cluster');
}

function untouched(triage: Triage): Change[] {
  return [
    ...triage.unchanged.map(({ ref, origin }) => ({ action: 'unchanged' as const, ref, origin, fields: [] })),
    ...triage.deleting.map(waitForDeletion),
  ];
}

/** An object that Git no longer has: on its way out, or left for a reason that does not pass by itself. */
function extra({
  ref,
  origin,
  action,
  reason,
}: Pick<Change, 'ref' | 'origin'> & Partial<Change>): FoundDrift {
  const found = { ref, origin, kind: 'extra', fields: [] } as const;
  return action === 'skipped' && reason !== undefined
    ? { ...found, action: 'reported', reason }
    : { ...found, action: 'pending', ...(reason === undefined ? {} : { reason }) };
}
