import pLimit from 'p-limit';

import { loadRegistry } from '../clusters/registry.ts';
import type { GitSource } from '../git/git-source.ts';
import type { Clock } from '../kube/clock.ts';
import { clusterHealth } from '../health/cluster-health.ts';
import { connectCluster } from '../kube/connect.ts';
import type { DesiredState } from '../model/desired.ts';
import { FleetError, toFleetError } from '../model/fleet-error.ts';
import type { ClusterHealth } from '../model/health.ts';
import type { ProgressListener } from '../model/progress.ts';
import type { ChangeReport, DriftReport } from '../model/report.ts';
import type { Cluster, FleetSettings } from '../model/settings.ts';
import { AuditLog } from '../observe/audit/audit-log.ts';
import { listOwned } from '../observe/list-owned.ts';
import { createRenderCache } from '../render/render-cache.ts';
import { keptRenderings } from './kept-renderings.ts';
import type { Renderers } from '../render/renderers/renderer.ts';
import type { StateStore } from '../store/state-store.ts';
import {
  type ClusterOutcome,
  remember,
  toClusterDrift,
  toClusterReport,
  correctedSince,
  hasFailed,
} from './cluster-outcome.ts';
import type { ClusterState, SyncTask } from './cluster-state.ts';
import { connectSession } from './connect-session.ts';
import { type DesiredFleet, renderFleet } from './desired-fleet.ts';
import { type KnownServer, learnServer } from './learn-server.ts';
import { openCluster } from './open-cluster.ts';
import { ServerMemory } from './server-memory.ts';
import { syncCluster, type SyncOutcome } from './sync-cluster.ts';
import { hasWaiting, syncUntilReady } from './sync-until-ready.ts';

export interface RunOnceOptions {
  readonly settings: FleetSettings;
  readonly source: GitSource;
  readonly store: StateStore;
  /** What renders kustomizations and charts; without one, each is a fault. */
  readonly renderers?: Renderers;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
  readonly mode: 'sync' | 'plan' | 'drift';
  /** Only these clusters and generators; all when empty. */
  readonly clusters: readonly string[];
  readonly generators: readonly string[];
  /** How long a sync goes on for objects that wait for the health of others; not at all unless given. */
  readonly waitMs?: number;
}

export interface OnceReports {
  readonly changes: ChangeReport;
  readonly drift: DriftReport;
}

/** Clusters under way at once. Each has its own connections and deadlines, so that a slow one takes only its own place. */
const clustersAtOnce = 32;

/**
 * One pass over the fleet: reads Git, renders, and syncs or looks at every cluster. One cluster's fault is in the
 * report and delays no other.
 * @throws FleetError when Git cannot be read or the arguments name no cluster: nothing was tried then.
 */
export async function runOnce(options: RunOnceOptions): Promise<OnceReports> {
  const { settings, source, store, signal, onProgress } = options;
  onProgress({ kind: 'fetching' });
  const [snapshot, registry] = await Promise.all([source.poll(signal), loadRegistry(settings, { signal })]);
  if (snapshot === null) throw new FleetError('GitRefNotFound', `${settings.source.url} has no commit yet`);
  const clusters = chosen(registry.clusters, options.clusters);
  const servers = new ServerMemory(store, options.mode === 'sync');
  const fleet = await renderFleet(snapshot, clusters, {
    serverOf: (name) => servers.get(name),
    fleetName: settings.name,
    cache: createRenderCache(keptRenderings(store)),
    renderers: options.renderers ?? {},
    onProgress,
    signal,
  });
  checkGenerators(options.generators, [...fleet.byCluster.values()]);
  for (const { name } of clusters) onProgress({ kind: 'cluster', cluster: name, phase: 'queued' });
  const limit = pLimit(clustersAtOnce);
  const results = await Promise.all(
    clusters.map((cluster) => limit(async () => visit(cluster, { ...options, fleet, servers }))),
  );
  const generatedAt = new Date(options.clock.now()).toISOString();
  const metadata = { fleet: settings.name, revision: snapshot.revision, generatedAt };
  const errors = [...registry.faults, ...fleet.faults];
  const since = correctedSince(options.clock.now());
  const memory = new Map(results.map(({ name }) => [name, store.memory(name)]));
  if (options.mode === 'sync') for (const result of results) remember(store, result);
  return {
    changes: {
      kind: options.mode === 'sync' ? 'SyncReport' : 'Plan',
      metadata,
      clusters: results.map((result) => toClusterReport(result, memory.get(result.name))),
      errors,
    },
    drift: {
      kind: 'DriftReport',
      metadata,
      clusters: results.map((result) =>
        toClusterDrift(result, {
          memory: memory.get(result.name),
          corrected: store.correctedDrifts(result.name, since),
        }),
      ),
      errors,
    },
  };
}

function chosen(clusters: readonly Cluster[], names: readonly string[]): readonly Cluster[] {
  if (names.length === 0) return clusters;
  const unknown = names.find((name) => !clusters.some((cluster) => cluster.name === name));
  if (unknown !== undefined) {
    const known = clusters.map((cluster) => cluster.name).join(', ') || 'none';
    throw new FleetError('ConfigInvalid', `no cluster is named ${unknown}; registered are: ${known}`);
  }
  return clusters.filter((cluster) => names.includes(cluster.name));
}

/** A name that nothing has would narrow to nothing, and nothing looks like all is well. @throws FleetError */
export function checkGenerators(names: readonly string[], states: readonly DesiredState[]): void {
  const known = new Set(states.flatMap(({ generators }) => [...generators.keys()]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  const list = [...known].sort().join(', ') || 'none';
  throw new FleetError('ConfigInvalid', `no generator is named ${unknown}; there are: ${list}`);
}

interface Visit extends RunOnceOptions {
  readonly fleet: DesiredFleet;
  readonly servers: ServerMemory;
}

async function visit(cluster: Cluster, options: Visit): Promise<ClusterOutcome> {
  const { onProgress, clock, signal, fleet } = options;
  const at = (): string => new Date(clock.now()).toISOString();
  try {
    const { outcome, ...known } = await lookAt(cluster, options);
    const desired = desiredOf(cluster, fleet);
    onProgress({ kind: 'cluster', cluster: cluster.name, phase: hasFailed(outcome) ? 'failed' : 'done' });
    return { name: cluster.name, desired, at: at(), outcome, ...known };
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toFleetError(thrown, { cluster: cluster.name });
    onProgress({
      kind: 'cluster',
      cluster: cluster.name,
      phase: error.code === 'ClusterUnreachable' ? 'unreachable' : 'failed',
    });
    return { name: cluster.name, desired: desiredOf(cluster, fleet), at: at(), error };
  }
}

type Seen = Pick<Extract<ClusterOutcome, { outcome: unknown }>, 'outcome' | 'health'>;

async function lookAt(cluster: Cluster, options: Visit): Promise<Seen> {
  const { settings, store, clock, random, signal, onProgress, mode, generators, fleet, servers } = options;
  const { waitMs = 0 } = options;
  const client = await connectCluster(cluster, { clock, random });
  const audit = cluster.audit === undefined ? undefined : new AuditLog(cluster.audit.path);
  try {
    onProgress({ kind: 'cluster', cluster: cluster.name, phase: 'observing' });
    const server = await learnServer(client, servers.get(cluster.name), signal);
    servers.learn(cluster.name, server.facts);
    const desired = await fleet.stateFor(cluster, server.facts);
    const state = await openCluster({
      server,
      fleet: settings.name,
      client,
      store,
      clock,
      random,
      intervalMs: settings.source.intervalMs,
      desired,
      signal,
      audit,
      takeInventory: (applySetId, resources, whole) =>
        listOwned({ client, resources, whole, applySetId, signal }),
    });
    const passOf = (known: ClusterState): SyncTask => ({
      state: known,
      desired,
      policy: settings.sync,
      labelGraceMs: settings.labelGraceMs,
      store,
      clock,
      signal,
      onProgress,
      mode: mode === 'sync' ? 'apply' : 'preview',
      assumeApplied: mode === 'drift',
      ...(generators.length === 0 ? {} : { generators: new Set(generators) }),
    });
    const first = await syncCluster(passOf(state));
    if (mode === 'sync' && waitMs > 0 && hasWaiting(first))
      return await goOn(cluster, first, { ...options, desired, server, passOf });
    const outcome = first;
    const health = clusterHealth(state.inventory.owned());
    return { outcome, ...(health === undefined ? {} : { health }) };
  } finally {
    await audit?.close();
    await client.close();
  }
}

interface GoOn extends Visit {
  readonly desired: DesiredState;
  readonly server: KnownServer;
  readonly passOf: (state: ClusterState) => SyncTask;
}

/** With watches from now on, until nothing waits for the health of others any more. */
async function goOn(cluster: Cluster, first: SyncOutcome, options: GoOn): Promise<Seen> {
  const { clock, signal, desired, server, passOf, waitMs = 0 } = options;
  let health: ClusterHealth | undefined;
  const outcome = await syncUntilReady(first, {
    clock,
    signal,
    deadlineAt: clock.now() + waitMs,
    open: (listeners) =>
      connectSession(cluster, {
        ...options,
        ...listeners,
        // The first pass may have brought kinds.
        lastFacts: server.facts,
        desiredFor: () => Promise.resolve(desired),
      }),
    sync: async (session) => {
      await session.follow(desired, 'if-needed', signal);
      const next = await syncCluster(passOf(session.state));
      health = clusterHealth(session.state.inventory.owned());
      return next;
    },
  });
  return { outcome, ...(health === undefined ? {} : { health }) };
}

function desiredOf(cluster: Cluster, fleet: DesiredFleet): DesiredState {
  return fleet.byCluster.get(cluster.name) ?? nothing(cluster, fleet.revision);
}

/** A cluster for which nothing could be rendered: incomplete, so that nothing of it is touched. */
function nothing(cluster: Cluster, revision: string): DesiredState {
  const fault = new FleetError('Internal', 'the cluster was not rendered', { cluster: cluster.name });
  return {
    cluster: cluster.name,
    revision,
    objects: [],
    generators: new Map(),
    faults: [fault],
    labels: cluster.labels,
    warnings: [],
  };
}
