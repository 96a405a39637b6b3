import { loadRegistry } from '../clusters/registry.ts';
import { watchRegistry } from '../clusters/watch-registry.ts';
import type { GitSource } from '../git/git-source.ts';
import type { Clock } from '../kube/clock.ts';
import { type FleetError, toFleetError } from '../model/fleet-error.ts';
import type { ProgressListener } from '../model/progress.ts';
import type { Cluster, FleetSettings } from '../model/settings.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { createRenderCache, type RenderCache } from '../render/render-cache.ts';
import type { Renderers } from '../render/renderers/renderer.ts';
import type { StateStore } from '../store/state-store.ts';
import type { Logger } from '../telemetry/logger.ts';
import { ClusterRunner } from './cluster-runner.ts';
import { type DesiredFleet, renderFleet } from './desired-fleet.ts';
import type { FleetView } from './fleet-view.ts';
import { followSchedule } from './follow-schedule.ts';
import { keptRenderings } from './kept-renderings.ts';
import { nextPollAt } from './next-poll.ts';
import { ServerMemory } from './server-memory.ts';
import { WakeUp } from './wake-up.ts';

export interface EngineOptions {
  readonly settings: FleetSettings;
  readonly source: GitSource;
  readonly store: StateStore;
  /** What renders kustomizations and charts; without one, each is a fault. */
  readonly renderers?: Renderers;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly onProgress: ProgressListener;
}

/** How often the local state file is looked at for approvals given by another process. */
const approvalsEveryMs = 1_000;

/**
 * The loop: follows Git and the registry, and hands each cluster's runner what it should pursue. While Git cannot be
 * read the last good revision stays in force, and so does the correction of drift.
 */
export class FleetEngine {
  readonly #options: EngineOptions;
  readonly #bell: WakeUp;
  readonly #stopping = new AbortController();
  readonly #cache: RenderCache;
  readonly #servers: ServerMemory;
  readonly #runners = new Map<string, ClusterRunner>();
  readonly #listeners = new Set<() => void>();
  #snapshot: Snapshot | undefined;
  #clusters: readonly Cluster[] = [];
  #registryFaults: readonly FleetError[] = [];
  #fleet: DesiredFleet | undefined;
  /** How many renderings and registry reads have begun: of those under way at once, the last one counts. */
  #renderings = 0;
  #registryReads = 0;
  #lastFetch: FleetView['lastFetch'];
  #loops: Promise<unknown> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#cache = createRenderCache(keptRenderings(options.store));
    this.#servers = new ServerMemory(options.store, true);
    this.#bell = new WakeUp(options.clock);
  }

  start(): void {
    const { settings } = this.#options;
    const { signal } = this.#stopping;
    this.#loops ??= Promise.all([this.#followGit(signal), this.#followApprovals(signal)]);
    if (settings.source.schedule !== undefined) {
      followSchedule(settings.source.schedule, this.fetchNow.bind(this), { signal });
    }
    const onChange = (): void => void this.#registryChanged();
    void watchRegistry(settings, onChange, { signal });
  }

  /** Fetches now instead of at the next interval. */
  fetchNow(): void {
    this.#bell.ring();
  }

  /** Called after anything that a view shows may have changed. @returns a function that ends it. */
  onUpdate(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  view(): FleetView {
    return {
      settings: this.#options.settings,
      revision: this.#snapshot?.revision ?? '',
      ...(this.#lastFetch === undefined ? {} : { lastFetch: this.#lastFetch }),
      clusters: this.#clusters,
      faults: [...this.#registryFaults, ...(this.#fleet?.faults ?? [])],
      runners: [...this.#runners.values()],
      desired: this.#fleet?.byCluster ?? new Map(),
      now: new Date(this.#options.clock.now()).toISOString(),
    };
  }

  /** Resolves when a revision was read and every cluster has pursued it to its end, or cannot be reached. */
  async whenSettled(signal: AbortSignal): Promise<void> {
    const settled = new WakeUp(this.#options.clock);
    const end = this.onUpdate(() => {
      settled.ring();
    });
    try {
      while (this.#fleet === undefined || ![...this.#runners.values()].every((runner) => runner.isSettled)) {
        await settled.wait(this.#options.clock.now() + 1_000, signal);
      }
    } finally {
      end();
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loops;
    await Promise.all([...this.#runners.values()].map((runner) => runner.stop()));
    await this.#options.source.close();
  }

  async #followGit(signal: AbortSignal): Promise<void> {
    await this.#reloadRegistry(signal);
    for (let failures = 0; !signal.aborted;) {
      failures = (await this.#fetch(signal)) ? 0 : failures + 1;
      const next = nextPollAt(this.#options, failures);
      await this.#bell.wait(next, signal).catch(() => undefined);
    }
  }

  /** @returns whether Git could be read. */
  async #fetch(signal: AbortSignal): Promise<boolean> {
    const at = new Date(this.#options.clock.now()).toISOString();
    try {
      this.#options.onProgress({ kind: 'fetching' });
      const snapshot = await this.#options.source.poll(signal);
      this.#lastFetch = { at };
      if (snapshot === null) this.#options.logger.info('the repository has no commit yet');
      else await this.#take(snapshot, signal);
      return true;
    } catch (thrown) {
      if (signal.aborted) return true;
      const error = toFleetError(thrown);
      this.#lastFetch = { at, error };
      this.#options.logger.error('Git cannot be read', { error });
      if (this.#snapshot === undefined) await this.#takeLastKnown(signal);
      return false;
    } finally {
      this.#tell();
    }
  }

  async #take(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    const isNew = snapshot !== this.#snapshot;
    // A file that could not be read, or a tool that is missing, is a fault of this rendering, not of the revision.
    if (!isNew && !this.#isPartlyRead()) return;
    this.#snapshot = snapshot;
    if (isNew) this.#options.logger.info('new revision', { revision: snapshot.revision });
    await this.#render(signal);
  }

  #isPartlyRead(): boolean {
    if (this.#fleet === undefined) return true;
    const states = [...this.#fleet.byCluster.values()];
    // What only the cluster's server can tell is rendered when it does.
    return [this.#fleet, ...states].some(({ faults }) =>
      faults.some(({ code, retry }) => retry !== 'never' && code !== 'FactsUnknown'),
    );
  }

  /** After a restart the last good revision stays in force, too, when Git cannot be reached. */
  async #takeLastKnown(signal: AbortSignal): Promise<void> {
    const snapshot = await this.#options.source.lastKnown(signal).catch(() => null);
    if (snapshot !== null) await this.#take(snapshot, signal);
  }

  async #render(signal: AbortSignal): Promise<void> {
    if (this.#snapshot === undefined) return;
    const { settings, renderers = {}, onProgress } = this.#options;
    const turn = (this.#renderings += 1);
    const fleet = await renderFleet(this.#snapshot, this.#clusters, {
      fleetName: settings.name,
      cache: this.#cache,
      renderers,
      serverOf: (name) => this.#servers.get(name),
      onProgress,
      signal,
    });
    // A rendering that began later knows all that this one knew, and newer labels or a newer revision.
    if (turn !== this.#renderings) return;
    this.#fleet = fleet;
    for (const fault of fleet.faults) this.#options.logger.error('fault in Git', { error: fault });
    for (const warning of fleet.warnings) this.#options.logger.warn(warning);
    for (const cluster of this.#clusters) {
      const desired = fleet.byCluster.get(cluster.name);
      if (desired !== undefined) this.#runnerOf(cluster, fleet).pursue(desired);
    }
  }

  #runnerOf(cluster: Cluster, fleet: DesiredFleet): ClusterRunner {
    const known = this.#runners.get(cluster.name);
    if (known !== undefined) return known;
    const runner = new ClusterRunner({
      ...this.#options,
      cluster,
      servers: this.#servers,
      // Both may be others by then: a newer revision, and newer labels.
      stateFor: (server) =>
        (this.#fleet ?? fleet).stateFor(
          this.#clusters.find(({ name }) => name === cluster.name) ?? cluster,
          server,
        ),
      onUpdate: () => {
        this.#tell();
      },
    });
    this.#runners.set(cluster.name, runner);
    return runner;
  }

  async #registryChanged(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await this.#reloadRegistry(signal);
      await this.#render(signal);
    } catch (thrown) {
      if (!signal.aborted)
        this.#options.logger.error('the registry cannot be followed', { error: toFleetError(thrown) });
    }
    this.#tell();
  }

  /** A cluster that a fault hides stays as it is: a registry that cannot be read removes nobody. */
  async #reloadRegistry(signal: AbortSignal): Promise<void> {
    const turn = (this.#registryReads += 1);
    const { clusters, faults } = await loadRegistry(this.#options.settings, { signal });
    if (turn !== this.#registryReads) return;
    this.#registryFaults = faults;
    for (const fault of faults) this.#options.logger.error('fault in the registry', { error: fault });
    const hidden =
      faults.length === 0
        ? []
        : this.#clusters.filter(({ name }) => !clusters.some((cluster) => cluster.name === name));
    this.#clusters = [...clusters, ...hidden];
    await this.#retire(this.#clusters);
  }

  /** Ends the runners of clusters that are gone from the registry or are reached in another way now. */
  async #retire(clusters: readonly Cluster[]): Promise<void> {
    const byName = new Map(clusters.map((cluster) => [cluster.name, cluster]));
    for (const [name, runner] of this.#runners) {
      const cluster = byName.get(name);
      if (cluster !== undefined && isReachedAlike(cluster, runner.cluster)) continue;
      this.#runners.delete(name);
      await runner.stop();
    }
  }

  async #followApprovals(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#options;
    for (let known = store.approvalCount(); !signal.aborted;) {
      if (!(await slept(clock, signal))) return;
      const count = store.approvalCount();
      if (count !== known) for (const runner of this.#runners.values()) runner.reconsiderHolds();
      known = count;
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isReachedAlike(a: Cluster, b: Cluster): boolean {
  return (
    a.connection.path === b.connection.path &&
    a.connection.context === b.connection.context &&
    a.audit?.path === b.audit?.path
  );
}

/** @returns whether the time passed; false when the signal was aborted. */
async function slept(clock: Clock, signal: AbortSignal): Promise<boolean> {
  return clock.sleep(approvalsEveryMs, signal).then(
    () => true,
    () => false,
  );
}
