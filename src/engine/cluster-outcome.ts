import type { Drift } from '../model/change.ts';
import type { DesiredState } from '../model/desired.ts';
import type { FleetError } from '../model/fleet-error.ts';
import type { ClusterHealth } from '../model/health.ts';
import { refKey } from '../model/object-ref.ts';
import type { ClusterDriftReport, ClusterReport, ClusterState } from '../model/report.ts';
import type { ClusterMemory, StateStore } from '../store/state-store.ts';
import type { SyncOutcome } from './sync-cluster.ts';

/** What an error of talking to a cluster says about the cluster. */
export function stateOf(error: FleetError | undefined): ClusterState {
  if (error === undefined) return 'reachable';
  switch (error.code) {
    case 'ClusterUnauthorized':
      return 'unauthorized';
    case 'ClusterUnreachable':
    case 'DeadlineExceeded':
      return 'unreachable';
    default:
      // It answered, if only to refuse something.
      return error.code === 'ConfigInvalid' ? 'unknown' : 'reachable';
  }
}

/** What ended the contact in the midst of a sync; undefined when it lasted. What one object alone met is no such thing. */
export function lostContact({ changes }: SyncOutcome): FleetError | undefined {
  for (const change of changes) {
    if (change.action !== 'failed') continue;
    const { code } = change.error;
    if (code === 'ClusterUnreachable' || code === 'ClusterUnauthorized') return change.error;
  }
  return undefined;
}

interface OutcomeBase {
  readonly name: string;
  readonly desired: DesiredState;
  /** RFC 3339: when the sync or look ended. */
  readonly at: string;
  /** RFC 3339: when the cluster was last heard of, where that is known better than from `at`. */
  readonly seenAt?: string;
  /** How the objects fare whose health is known. */
  readonly health?: ClusterHealth;
}

/** How a sync or a look at one cluster ended. */
export type ClusterOutcome =
  | (OutcomeBase & { readonly outcome: SyncOutcome })
  /** `drifts`: what was known before the contact was lost, and has not been put right. */
  | (OutcomeBase & { readonly error: FleetError; readonly drifts?: readonly Drift[] });

/** One cluster of a Plan or SyncReport; what is not known now is filled from memory. */
export function toClusterReport(result: ClusterOutcome, memory: ClusterMemory | undefined): ClusterReport {
  const lastSeenAt = seenAt(result, memory);
  const revision = 'outcome' in result ? result.desired.revision : memory?.revision;
  return {
    name: result.name,
    state: stateOf('error' in result ? result.error : lostContact(result.outcome)),
    ...(lastSeenAt === undefined ? {} : { lastSeenAt }),
    ...(revision === undefined ? {} : { revision }),
    labels: result.desired.labels,
    changes: 'outcome' in result ? result.outcome.changes : [],
    errors: 'outcome' in result ? result.outcome.errors : [result.error, ...result.desired.faults],
    warnings: [...result.desired.warnings, ...foundWarnings(result)],
  };
}

/** One cluster of a DriftReport: what departs now, and what was put right since. */
export function toClusterDrift(
  result: ClusterOutcome,
  { memory, corrected }: { memory: ClusterMemory | undefined; corrected: readonly Drift[] },
): ClusterDriftReport {
  const report = toClusterReport(result, memory);
  const known = 'outcome' in result ? result.outcome.drifts : (result.drifts ?? []);
  const now = known.filter((drift) => drift.action !== 'corrected');
  return {
    name: report.name,
    state: report.state,
    ...(report.lastSeenAt === undefined ? {} : { lastSeenAt: report.lastSeenAt }),
    ...(report.revision === undefined ? {} : { revision: report.revision }),
    objectCount: result.desired.objects.length,
    objects: [...now, ...corrected],
    errors: [...report.errors, ...unseenFailures(report, now)],
    ...(foundWarnings(result).length === 0 ? {} : { warnings: foundWarnings(result) }),
  };
}

/**
 * Why objects could not be compared with Git, or brought to it, where no drift of them tells already: a report that
 * passed over them would call them in sync. Out of reach, that is the one error to tell.
 */
function unseenFailures({ state, changes }: ClusterReport, drifts: readonly Drift[]): FleetError[] {
  if (state !== 'reachable') return [];
  const told = new Set(drifts.map(({ ref }) => refKey(ref)));
  return changes.flatMap((change) =>
    change.action === 'failed' && !told.has(refKey(change.ref)) ? [change.error] : [],
  );
}

/** What a sync warns of beside the warnings of Git. */
function foundWarnings(result: ClusterOutcome): readonly string[] {
  return 'outcome' in result ? result.outcome.warnings : [];
}

/** Keeps what `status` tells of a cluster when nobody is connected to it. */
export function remember(store: StateStore, result: ClusterOutcome): void {
  const before = store.memory(result.name);
  const lastSeenAt = seenAt(result, before);
  const health = result.health ?? ('error' in result ? before?.health : undefined);
  const common = {
    state: stateOf('error' in result ? result.error : lostContact(result.outcome)),
    ...(lastSeenAt === undefined ? {} : { lastSeenAt }),
    ...(health === undefined ? {} : { health }),
  };
  if ('error' in result) {
    store.remember(result.name, { ...before, ...common, message: result.error.message });
    return;
  }
  const { changes, drifts, errors } = result.outcome;
  const count = (action: string): number => changes.filter((change) => change.action === action).length;
  const firstError = errors[0]?.describe() ?? changes.find((change) => change.action === 'failed')?.reason;
  store.remember(result.name, {
    ...common,
    revision: result.desired.revision,
    lastSyncAt: result.at,
    counts: {
      objects: result.desired.objects.length,
      // What is removed by a wish in Git waits its turn; that is no drift.
      drifted: drifts.filter(({ action, kind }) => action !== 'corrected' && kind !== 'extra').length,
      held: count('held'),
      failed: count('failed'),
    },
    ...(firstError === undefined ? {} : { message: firstError }),
  });
}

function seenAt(result: ClusterOutcome, memory: ClusterMemory | undefined): string | undefined {
  if (result.seenAt !== undefined) return result.seenAt;
  const answered =
    'outcome' in result || stateOf(result.error) === 'reachable' || stateOf(result.error) === 'unauthorized';
  return answered ? result.at : memory?.lastSeenAt;
}

/** Corrected drift is part of a drift report for a day. */
const correctedForMs = 86_400_000;

/** From when on corrected drift is reported, RFC 3339. @param now milliseconds since the epoch. */
export function correctedSince(now: number): string {
  return new Date(now - correctedForMs).toISOString();
}

/** Whether anything of a sync failed, a fault in Git included. */
export function hasFailed({ errors, changes }: Pick<SyncOutcome, 'errors' | 'changes'>): boolean {
  return errors.length > 0 || changes.some(({ action }) => action === 'failed');
}
