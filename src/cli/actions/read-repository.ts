import { loadRegistry } from '../../clusters/registry.ts';
import { FleetError } from '../../model/fleet-error.ts';
import type { Cluster } from '../../model/settings.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { createRenderCache } from '../../render/render-cache.ts';
import type { RegisteredCluster } from '../../render/cluster-facts.ts';
import type { RenderOptions } from '../../render/render-cluster.ts';
import type { FleetRepository } from '../../render/repository/fleet-repository.ts';
import { loadFleetRepository } from '../../render/repository/load-fleet-repository.ts';
import { openStateStore } from '../../store/state-store.ts';
import type { ActionContext, OfflineRequest } from '../actions.ts';
import { openRenderers } from './open-renderers.ts';
import { openSource } from './open-source.ts';

/** One revision, read for a command that speaks to no cluster. */
export interface Read {
  readonly repository: FleetRepository;
  readonly clusters: readonly RegisteredCluster[];
  readonly options: RenderOptions;
  readonly registryFaults: readonly FleetError[];
}

/** Reads the revision of a request and hands it on; all that was opened for it is closed at the end. */
export async function withRepository<T>(
  request: OfflineRequest,
  { environment, signal }: ActionContext,
  use: (read: Read) => Promise<T>,
): Promise<T> {
  const source = openSource(request.settings, request.revision, environment);
  const { renderers, close } = openRenderers(request.settings, environment);
  try {
    const snapshot = await source.poll(signal);
    if (snapshot === null) throw new FleetError('GitRefNotFound', 'the repository has no commit yet');
    const found = await read(request, snapshot, signal);
    return await use({ ...found, options: { ...found.options, renderers } });
  } finally {
    await source.close();
    await close();
  }
}

async function read(request: OfflineRequest, snapshot: Snapshot, signal: AbortSignal): Promise<Read> {
  const cache = createRenderCache();
  const repository = await loadFleetRepository(snapshot, cache);
  const { settings } = request;
  const registry =
    settings === undefined ? { clusters: [], faults: [] } : await loadRegistry(settings, { signal });
  // Without a registry the folders say which clusters there are, and cluster.yaml what their labels are.
  const unregistered = [...repository.directories.keys()].map((name) => ({
    name,
    labels: {},
    annotations: {},
  }));
  return {
    repository,
    clusters: settings === undefined ? unregistered : withServerFacts(registry.clusters, settings.stateDir),
    options: { fleetName: settings?.name ?? 'fleet', cache, signal },
    registryFaults: registry.faults,
  };
}

/** Clusters with what their servers said when they were last reached from here. */
function withServerFacts(clusters: readonly Cluster[], stateDir: string): RegisteredCluster[] {
  const store = openStateStore(stateDir, { readOnly: true });
  try {
    return clusters.map((cluster) => {
      const server = store.serverFacts(cluster.name);
      return server === undefined ? cluster : { ...cluster, server };
    });
  } finally {
    store.close();
  }
}

/** The clusters of those names, or all where none is named. @throws FleetError ConfigInvalid for an unknown name. */
export function inScope(
  clusters: readonly RegisteredCluster[],
  names: readonly string[],
): readonly RegisteredCluster[] {
  const unknown = names.find((name) => !clusters.some((cluster) => cluster.name === name));
  if (unknown !== undefined) {
    throw new FleetError(
      'ConfigInvalid',
      `no cluster is named ${unknown}; known are: ${clusters.map(({ name }) => name).join(', ') || 'none'}`,
    );
  }
  return names.length === 0 ? clusters : clusters.filter(({ name }) => names.includes(name));
}
