import type { Change, Drift } from '../model/change.ts';
import type {
  ChangeCounts,
  ChangeReport,
  ClusterDriftReport,
  ClusterReport,
  DriftReport,
  Report,
} from '../model/report.ts';

import { countDrift, type DriftCounts } from './drift-entries.ts';
import type { ChangeSummary, DriftSummary } from './report-schema.ts';

/** What a person should know of a cluster first. Each cluster has one: the worst that is true of it. */
export type ClusterVerdict =
  'unreachable' | 'unauthorized' | 'unknown' | 'failed' | 'held' | 'outOfSync' | 'inSync';

/** The verdict on a cluster of a Plan, where every write is still to be made, or of a SyncReport, where it is made. */
export function verdictOf(cluster: ClusterReport, kind: ChangeReport['kind']): ClusterVerdict {
  if (cluster.state !== 'reachable') return cluster.state;
  const has = (...actions: Change['action'][]): boolean =>
    cluster.changes.some((change) => actions.includes(change.action));
  if (cluster.errors.length > 0 || has('failed')) return 'failed';
  if (has('held')) return 'held';
  const toDo = kind === 'Plan' && has('create', 'configure', 'delete');
  return toDo || has('pending') ? 'outOfSync' : 'inSync';
}

/** The verdict on a cluster of a DriftReport: drift that was corrected since, or is ignored by wish, counts as in sync. */
export function driftVerdictOf(cluster: ClusterDriftReport): ClusterVerdict {
  if (cluster.state !== 'reachable') return cluster.state;
  if (cluster.errors.length > 0) return 'failed';
  return cluster.objects.some(isOpen) ? 'outOfSync' : 'inSync';
}

/** Whether the live object still differs from Git and nobody wished that it may. */
export function isOpen(drift: Drift): boolean {
  return drift.action === 'reported' || drift.action === 'pending';
}

/** How many changes there are of each action. */
export function countChanges(changes: readonly Change[]): ChangeCounts {
  const counts = {
    create: 0,
    configure: 0,
    delete: 0,
    unchanged: 0,
    held: 0,
    skipped: 0,
    pending: 0,
    failed: 0,
  };
  for (const change of changes) counts[change.action] += 1;
  return counts;
}

/** The `summary` of a report's JSON shape. */
export function summarise(report: ChangeReport): ChangeSummary;
export function summarise(report: DriftReport): DriftSummary;
export function summarise(report: Report): ChangeSummary | DriftSummary {
  return report.kind === 'DriftReport' ? summariseDrift(report) : summariseChanges(report);
}

function summariseChanges(report: ChangeReport): ChangeSummary {
  const verdicts = countVerdicts(report.clusters.map((cluster) => verdictOf(cluster, report.kind)));
  return {
    clusters: report.clusters.length,
    inSync: verdicts('inSync'),
    outOfSync: verdicts('outOfSync'),
    held: verdicts('held'),
    unreachable: verdicts('unreachable'),
    unauthorized: verdicts('unauthorized'),
    unknown: verdicts('unknown'),
    failed: verdicts('failed'),
    changes: countChanges(report.clusters.flatMap((cluster) => cluster.changes)),
  };
}

function summariseDrift(report: DriftReport): DriftSummary {
  const verdicts = countVerdicts(report.clusters.map(driftVerdictOf));
  const counts = report.clusters.map(countDrift);
  const sum = (key: keyof DriftCounts): number => counts.reduce((total, each) => total + each[key], 0);
  return {
    clusters: report.clusters.length,
    inSync: verdicts('inSync'),
    outOfSync: verdicts('outOfSync'),
    unreachable: verdicts('unreachable'),
    unauthorized: verdicts('unauthorized'),
    unknown: verdicts('unknown'),
    failed: verdicts('failed'),
    objects: report.clusters.reduce((sum, cluster) => sum + cluster.objectCount, 0),
    drifted: sum('drifted'),
    missing: sum('missing'),
    extra: sum('extra'),
    corrected: sum('corrected'),
  };
}

function countVerdicts(verdicts: readonly ClusterVerdict[]): (verdict: ClusterVerdict) => number {
  return (verdict) => verdicts.filter((each) => each === verdict).length;
}
