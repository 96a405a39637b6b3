import { checkGenerators } from '../../engine/run-once.ts';
import { renderCluster } from '../../render/render-cluster.ts';
import { repositoryFaults } from '../../render/repository/fleet-repository.ts';
import type { ActionContext, OfflineRequest, RenderResult } from '../actions.ts';
import { inScope, withRepository } from './read-repository.ts';

/** The manifests for each cluster in scope. Speaks to no cluster. */
export function renderManifests(request: OfflineRequest, context: ActionContext): Promise<RenderResult> {
  return withRepository(request, context, async ({ repository, clusters, options, registryFaults }) => {
    const chosen = inScope(clusters, request.scope.clusters);
    const { generators } = request.scope;
    const states = [];
    for (const [index, cluster] of chosen.entries()) {
      context.onProgress({ kind: 'rendering', done: index, total: chosen.length });
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
