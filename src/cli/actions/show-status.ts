import { loadRegistry } from '../../clusters/registry.ts';
import { stateOf } from '../../engine/cluster-outcome.ts';
import { type DesiredFleet, renderFleet } from '../../engine/desired-fleet.ts';
import { fleetStatus } from '../../engine/fleet-status.ts';
import { connectCluster } from '../../kube/connect.ts';
import { serverVersion } from '../../kube/discovery.ts';
import type { DesiredState } from '../../model/desired.ts';
import { type FleetError, toFleetError } from '../../model/fleet-error.ts';
import type { Cluster } from '../../model/settings.ts';
import type { FleetStatus } from '../../model/status.ts';
import { keptRenderings } from '../../engine/kept-renderings.ts';
import { createRenderCache } from '../../render/render-cache.ts';
import { type ClusterMemory, openStateStore, type StateStore } from '../../store/state-store.ts';
import type { ActionContext, ScopedRequest } from '../actions.ts';
import { openRenderers } from './open-renderers.ts';
import { openSource } from './open-source.ts';

const probeDeadlineMs = 5_000;

/** The fleet at a glance: what the last sync left in the state folder, and whether each cluster answers right now. */
export async function showStatus(
  { settings, scope }: ScopedRequest,
  context: ActionContext,
): Promise<FleetStatus> {
  const { signal, environment } = context;
  const store = openStateStore(settings.stateDir, { readOnly: true });
  try {
    const registry = await loadRegistry(settings, { signal });
    const clusters = registry.clusters.filter(
      ({ name }) => scope.clusters.length === 0 || scope.clusters.includes(name),
    );
    const now = environment.now().toISOString();
    const [git, memories] = await Promise.all([
      readGit({ settings, store, clusters }, context),
      Promise.all(
        clusters.map((cluster) => probe(cluster, { memory: store.memory(cluster.name), now, signal })),
      ),
    ]);
    const status = fleetStatus({
      metadata: { fleet: settings.name, revision: git.fleet?.revision ?? '', generatedAt: now },
      lastFetch: { at: now, ...(git.error === undefined ? {} : { error: git.error }) },
      clusters: clusters.map((cluster, index) => ({
        cluster,
        desired: git.fleet?.byCluster.get(cluster.name),
        memory: withFault(memories[index], git.fleet?.byCluster.get(cluster.name)),
      })),
    });
    const errors = git.fleet?.faults ?? [];
    return errors.length === 0 ? status : { ...status, errors };
  } finally {
    store.close();
  }
}

/** What the last sync left says what is wrong; what Git holds since then may be broken, too. */
function withFault(
  memory: ClusterMemory | undefined,
  desired: DesiredState | undefined,
): ClusterMemory | undefined {
  const fault = desired?.faults[0];
  if (memory === undefined || memory.message !== undefined || fault === undefined) return memory;
  return { ...memory, message: fault.describe() };
}

interface Git {
  readonly fleet?: DesiredFleet;
  readonly error?: FleetError;
}

interface GitRequest {
  readonly settings: ScopedRequest['settings'];
  readonly store: StateStore;
  readonly clusters: readonly Cluster[];
}

async function readGit(
  { settings, store, clusters }: GitRequest,
  { environment, signal, onProgress }: ActionContext,
): Promise<Git> {
  const source = openSource(settings, { kind: 'settings' }, environment);
  const { renderers, close } = openRenderers(settings, environment);
  try {
    const snapshot = await source.poll(signal);
    if (snapshot === null) return {};
    return {
      fleet: await renderFleet(snapshot, clusters, {
        fleetName: settings.name,
        cache: createRenderCache(keptRenderings(store)),
        renderers,
        serverOf: (name) => store.serverFacts(name),
        onProgress,
        signal,
      }),
    };
  } catch (thrown) {
    signal.throwIfAborted();
    return { error: toFleetError(thrown) };
  } finally {
    await source.close();
    await close();
  }
}

interface Probe {
  readonly memory: ClusterMemory | undefined;
  readonly now: string;
  readonly signal: AbortSignal;
}

async function probe(cluster: Cluster, { memory, now, signal }: Probe): Promise<ClusterMemory> {
  try {
    const client = await connectCluster(cluster, { requestDeadlineMs: probeDeadlineMs });
    try {
      await serverVersion(client, signal);
      return { ...memory, state: 'reachable', lastSeenAt: now };
    } finally {
      await client.close();
    }
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toFleetError(thrown);
    return { ...memory, state: stateOf(error), message: error.message };
  }
}
