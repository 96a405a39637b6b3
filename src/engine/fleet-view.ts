import type { DesiredState } from '../model/desired.ts';
import type { FleetError } from '../model/fleet-error.ts';
import type { ChangeReport, ClusterReport, DriftReport, ReportMetadata } from '../model/report.ts';
import type { Cluster, FleetSettings } from '../model/settings.ts';
import type { FleetStatus } from '../model/status.ts';
import type { StateStore } from '../store/state-store.ts';
import { type ClusterOutcome, toClusterDrift, toClusterReport, correctedSince } from './cluster-outcome.ts';
import { fleetStatus } from './fleet-status.ts';

/** What the running engine knows at one moment. */
export interface FleetView {
  readonly settings: FleetSettings;
  readonly revision: string;
  readonly lastFetch?: { readonly at: string; readonly error?: FleetError };
  readonly clusters: readonly Cluster[];
  readonly faults: readonly FleetError[];
  readonly runners: readonly {
    readonly cluster: Cluster;
    readonly result: ClusterOutcome | undefined;
  }[];
  readonly desired: ReadonlyMap<string, DesiredState>;
  /** RFC 3339. */
  readonly now: string;
}

/** What the last sync of each cluster did. */
export function viewSyncReport(view: FleetView, store: StateStore): ChangeReport {
  const clusters: ClusterReport[] = view.runners.map((runner) =>
    runner.result === undefined
      ? unvisited(runner.cluster)
      : toClusterReport(runner.result, store.memory(runner.cluster.name)),
  );
  return { kind: 'SyncReport', metadata: metadataOf(view), clusters, errors: errorsOf(view) };
}

/** How the clusters differ from Git, and what was put right within the last day. */
export function viewDriftReport(view: FleetView, store: StateStore): DriftReport {
  const since = correctedSince(Date.parse(view.now));
  const clusters = view.runners.flatMap((runner) => {
    if (runner.result === undefined) return [];
    const { name } = runner.cluster;
    return [
      toClusterDrift(runner.result, {
        memory: store.memory(name),
        corrected: store.correctedDrifts(name, since),
      }),
    ];
  });
  return { kind: 'DriftReport', metadata: metadataOf(view), clusters, errors: errorsOf(view) };
}

/** The fleet at a glance. */
export function viewStatus(view: FleetView, store: StateStore): FleetStatus {
  const results = new Map(view.runners.map(({ cluster, result }) => [cluster.name, result]));
  return fleetStatus({
    metadata: metadataOf(view),
    ...(view.lastFetch === undefined ? {} : { lastFetch: view.lastFetch }),
    clusters: view.clusters.map((cluster) => {
      const memory = store.memory(cluster.name);
      const seenAt = results.get(cluster.name)?.seenAt;
      return {
        cluster,
        desired: view.desired.get(cluster.name),
        memory: memory === undefined || seenAt === undefined ? memory : { ...memory, lastSeenAt: seenAt },
      };
    }),
  });
}

function metadataOf(view: FleetView): ReportMetadata {
  return { fleet: view.settings.name, revision: view.revision, generatedAt: view.now };
}

function errorsOf(view: FleetView): FleetError[] {
  return [...(view.lastFetch?.error === undefined ? [] : [view.lastFetch.error]), ...view.faults];
}

function unvisited(cluster: Cluster): ClusterReport {
  return {
    name: cluster.name,
    state: 'unknown',
    labels: cluster.labels,
    changes: [],
    errors: [],
    warnings: [],
  };
}
