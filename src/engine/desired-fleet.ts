import type { DesiredState } from '../model/desired.ts';
import type { FleetError } from '../model/fleet-error.ts';
import type { ProgressListener } from '../model/progress.ts';
import type { Cluster } from '../model/settings.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { RenderCache } from '../render/render-cache.ts';
import { repositoryFaults, repositoryWarnings } from '../render/repository/fleet-repository.ts';
import { loadFleetRepository } from '../render/repository/load-fleet-repository.ts';
import { renderCluster } from '../render/render-cluster.ts';
import type { Renderers } from '../render/renderers/renderer.ts';

/** What one revision gives every registered cluster. */
export interface DesiredFleet {
  readonly revision: string;
  readonly byCluster: ReadonlyMap<string, DesiredState>;
  /** Faults that concern no single cluster. */
  readonly faults: readonly FleetError[];
  readonly warnings: readonly string[];
}

export interface RenderFleetOptions {
  readonly fleetName: string;
  readonly cache: RenderCache;
  readonly renderers: Renderers;
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

/** Renders a revision for each cluster in turn. Shared sources are read and parsed once, through the cache. */
export async function renderFleet(
  snapshot: Snapshot,
  clusters: readonly Cluster[],
  { onProgress, ...options }: RenderFleetOptions,
): Promise<DesiredFleet> {
  const repository = await loadFleetRepository(snapshot, options.cache);
  const byCluster = new Map<string, DesiredState>();
  for (const [index, cluster] of clusters.entries()) {
    options.signal.throwIfAborted();
    byCluster.set(cluster.name, await renderCluster(repository, cluster, options));
    onProgress({ kind: 'rendering', done: index + 1, total: clusters.length });
  }
  const warnings = repositoryWarnings(repository, byCluster.keys());
  return { revision: snapshot.revision, byCluster, faults: repositoryFaults(repository), warnings };
}
