import type { DesiredState } from '../model/desired.ts';
import type { FleetError } from '../model/fleet-error.ts';
import type { ProgressListener } from '../model/progress.ts';
import type { ServerFacts } from '../model/server-facts.ts';
import type { Cluster } from '../model/settings.ts';
import type { Snapshot } from '../model/snapshot.ts';
import {
  type FleetRepository,
  repositoryFaults,
  repositoryWarnings,
} from '../render/repository/fleet-repository.ts';
import { loadFleetRepository } from '../render/repository/load-fleet-repository.ts';
import { renderCluster, type RenderOptions } from '../render/render-cluster.ts';

export interface RenderFleetOptions extends RenderOptions {
  /** What a cluster's API server said last; undefined for one that was never asked, as all are unless this is given. */
  readonly serverOf?: (cluster: string) => ServerFacts | undefined;
  readonly onProgress: ProgressListener;
}

/** What one revision gives every registered cluster. */
export class DesiredFleet {
  readonly #repository: FleetRepository;
  readonly #options: RenderOptions;
  readonly #states = new Map<string, DesiredState>();
  /** What each cluster's server had said when its state was rendered. */
  readonly #servers = new Map<string, ServerFacts | undefined>();

  constructor(repository: FleetRepository, options: RenderOptions) {
    this.#repository = repository;
    this.#options = options;
  }

  get revision(): string {
    return this.#repository.snapshot.revision;
  }

  get byCluster(): ReadonlyMap<string, DesiredState> {
    return this.#states;
  }

  /** Faults that concern no single cluster. */
  get faults(): readonly FleetError[] {
    return repositoryFaults(this.#repository);
  }

  get warnings(): readonly string[] {
    return repositoryWarnings(this.#repository, this.#states.keys());
  }

  /**
   * What a cluster should hold whose server says this: the state as it is, or rendered anew where the server had said
   * something else. Only what reads it is really rendered.
   */
  async stateFor(cluster: Cluster, server: ServerFacts | undefined): Promise<DesiredState> {
    const known = this.#states.get(cluster.name);
    if (known !== undefined && this.#servers.get(cluster.name) === server) return known;
    const registered = { ...cluster, ...(server === undefined ? {} : { server }) };
    const desired = await renderCluster(this.#repository, registered, this.#options);
    this.#states.set(cluster.name, desired);
    this.#servers.set(cluster.name, server);
    return desired;
  }
}

/** Renders a revision for each cluster in turn. Shared sources are read and parsed once, through the cache. */
export async function renderFleet(
  snapshot: Snapshot,
  clusters: readonly Cluster[],
  { onProgress, serverOf = () => undefined, ...options }: RenderFleetOptions,
): Promise<DesiredFleet> {
  const fleet = new DesiredFleet(await loadFleetRepository(snapshot, options.cache), options);
  for (const [index, cluster] of clusters.entries()) {
    options.signal.throwIfAborted();
    await fleet.stateFor(cluster, serverOf(cluster.name));
    onProgress({ kind: 'rendering', done: index + 1, total: clusters.length });
  }
  return fleet;
}
