import { checkGenerators } from '../../engine/run-once.ts';
import { loadRegistry } from '../../clusters/registry.ts';
import { FleetError } from '../../model/fleet-error.ts';
import type { Cluster } from '../../model/settings.ts';
import type { Snapshot, TreeNode } from '../../model/snapshot.ts';
import { createRenderCache } from '../../render/render-cache.ts';
import type { RegisteredCluster } from '../../render/cluster-facts.ts';
import { renderCluster, type RenderOptions } from '../../render/render-cluster.ts';
import {
  type FleetRepository,
  repositoryFaults,
  repositoryWarnings,
} from '../../render/repository/fleet-repository.ts';
import { loadFleetRepository } from '../../render/repository/load-fleet-repository.ts';
import { validateRepository } from '../../render/validate-repository.ts';
import { openStateStore } from '../../store/state-store.ts';
import type { ValidationResult } from '../../report/validation.ts';
import type { ActionContext, OfflineRequest, RenderResult } from '../actions.ts';
import { openRenderers } from './open-renderers.ts';
import { openSource } from './open-source.ts';

/** The manifests for each cluster in scope. Speaks to no cluster. */
export function renderManifests(request: OfflineRequest, context: ActionContext): Promise<RenderResult> {
  return withRepository(request, context, async ({ repository, clusters, options, registryFaults }) => {
    const chosen = inScope(clusters, request.scope.clusters);
    const { generators } = request.scope;
    const states = [];
    for (const cluster of chosen) {
      const state = await renderCluster(repository, cluster, options);
      const objects = state.objects.filter(
        ({ origin }) => generators.length === 0 || generators.includes(origin.generator),
      );
      states.push({ ...state, objects });
    }
    checkGenerators(generators, states);
    return {
      revision: repository.snapshot.revision,
      clusters: states,
      faults: [...registryFaults, ...repositoryFaults(repository)],
    };
  });
}

/** Every fault of the repository. Speaks to no cluster. */
export function validateFiles(request: OfflineRequest, context: ActionContext): Promise<ValidationResult> {
  return withRepository(request, context, async ({ repository, clusters, options, registryFaults }) => ({
    files: countFiles(repository.snapshot.tree),
    faults: [
      ...registryFaults,
      ...emptiness(repository),
      ...(await validateRepository(repository, inScope(clusters, request.scope.clusters), options)),
    ],
    warnings: repositoryWarnings(
      repository,
      clusters.map(({ name }) => name),
    ),
  }));
}

/** A folder that is no fleet's has no faults either, and would pass in CI for ever. */
function emptiness({ generators, directories, faults }: FleetRepository): FleetError[] {
  if (generators.length > 0 || directories.size > 0 || faults.length > 0) return [];
  const message =
    'there is neither generators/ nor clusters/ with anything in it here; is this the folder of a fleet?';
  return [new FleetError('ConfigInvalid', message)];
}

interface Read {
  readonly repository: FleetRepository;
  readonly clusters: readonly RegisteredCluster[];
  readonly options: RenderOptions;
  readonly registryFaults: readonly FleetError[];
}

async function withRepository<T>(
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

function inScope(
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

function countFiles(node: TreeNode): number {
  if (node.kind !== 'directory') return 1;
  return [...node.children.values()].reduce((sum, child) => sum + countFiles(child), 0);
}
