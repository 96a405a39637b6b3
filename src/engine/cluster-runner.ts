import { backoffMs } from '../kube/backoff.ts';
import type { Clock } from '../kube/clock.ts';
import type { DesiredState } from '../model/desired.ts';
import { type FleetError, toFleetError } from '../model/fleet-error.ts';
import type { ProgressListener } from '../model/progress.ts';
import type { ServerFacts } from '../model/server-facts.ts';
import type { Cluster, FleetSettings } from '../model/settings.ts';
import { isDefinition } from '../plan/definitions.ts';
import type { StateStore } from '../store/state-store.ts';
import type { Logger } from '../telemetry/logger.ts';
import { AnotherLook } from './another-look.ts';
import {
  type ClusterOutcome,
  lostContact,
  remember,
  stateOf,
  toClusterReport,
  hasFailed,
} from './cluster-outcome.ts';
import type { ClusterSession } from './cluster-session.ts';
import { connectSession } from './connect-session.ts';
import { GatheredNews } from './gathered-news.ts';
import { nextGraceEnd } from './grace.ts';
import { MovedDefinitions } from './moved-definitions.ts';
import { OutcomeLog } from './outcome-log.ts';
import { presentOutcome } from './present-outcome.ts';
import type { ServerMemory } from './server-memory.ts';
import { type SyncOutcome, syncCluster } from './sync-cluster.ts';
import { unknownKinds } from './unknown-kinds.ts';
import { WakeUp } from './wake-up.ts';

export interface RunnerOptions {
  readonly cluster: Cluster;
  readonly settings: FleetSettings;
  readonly store: StateStore;
  readonly servers: ServerMemory;
  /** What the cluster should hold, as its server is now. */
  readonly stateFor: (server: ServerFacts) => Promise<DesiredState>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly onProgress: ProgressListener;
  /** The runner has something new to tell. */
  readonly onUpdate: () => void;
}

/** What is served, and what was refused for good, is looked at anew now and then although nothing moved. */
const verifyEveryMs = 3_600_000;
const reconnect = { baseMs: 1_000, capMs: 60_000 };

/**
 * Keeps one cluster as Git wants it, for as long as it runs. Everything it waits for, retries and fails at is its own:
 * no other cluster notices.
 */
export class ClusterRunner {
  readonly cluster: Cluster;
  readonly #options: RunnerOptions;
  readonly #bell: WakeUp;
  /** Ends the pause after a failed sync: the cluster is back, or Git wants something else. */
  readonly #retryBell: WakeUp;
  readonly #stopping = new AbortController();
  #desired: DesiredState | undefined;
  #last: ClusterOutcome | undefined;
  #syncFailure: FleetError | undefined;
  #watchFailure: FleetError | undefined;
  #session: ClusterSession | undefined;
  #running: Promise<void> | undefined;
  /** The desired state that the last finished sync was for. */
  #synced: DesiredState | undefined;
  #verifyAt = Number.POSITIVE_INFINITY;
  readonly #anotherLook: AnotherLook;
  readonly #definitions = new MovedDefinitions();
  readonly #log: OutcomeLog;
  readonly #health: GatheredNews;
  /** When the last sync began, in ms since the epoch. */
  #beganAt = 0;

  constructor(options: RunnerOptions) {
    this.cluster = options.cluster;
    this.#anotherLook = new AnotherLook(options.random);
    this.#options = options;
    this.#log = new OutcomeLog(options.logger);
    this.#health = new GatheredNews(options.clock, this.#stopping.signal, () => {
      this.#remember();
      options.onUpdate();
    });
    this.#bell = new WakeUp(options.clock);
    this.#retryBell = new WakeUp(options.clock);
  }

  /** Starts, or goes on with, another desired state. */
  pursue(desired: DesiredState): void {
    this.#desired = desired;
    this.#bell.ring();
    this.#retryBell.ring();
    this.#running ??= this.#run();
  }

  /** Approvals have changed: what is held is looked at again. */
  reconsiderHolds(): void {
    this.#session?.state.retries.forgetHolds();
    this.#bell.ring();
    this.#retryBell.ring();
  }

  /** How it stands; the last known outcome stays while the cluster is out of reach. */
  get result(): ClusterOutcome | undefined {
    const contact = {
      session: this.#session,
      syncFailure: this.#syncFailure,
      watchFailure: this.#watchFailure,
    };
    return this.#last && presentOutcome(this.#last, contact);
  }

  /** Nothing is left to do: the present wish was pursued to its end, or cannot be at the moment. */
  get isSettled(): boolean {
    return this.#synced === this.#desired && !this.#bell.isRung;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.#bell.wait(this.#nextDueAt(), signal);
        this.#retryBell.hush();
        await this.#sync(signal);
        failures = 0;
      } catch (thrown) {
        if (this.#stopping.signal.aborted) break;
        this.#fail(toFleetError(thrown, { cluster: this.cluster.name }));
        this.#options.onProgress({ kind: 'cluster', cluster: this.cluster.name, phase: 'failed' });
        const delayMs = 250 + backoffMs(failures, { ...reconnect, random });
        failures += 1;
        await this.#retryBell.wait(clock.now() + delayMs, signal).catch(() => undefined);
        this.#bell.ring();
      }
    }
    await this.#session?.close();
  }

  async #sync(signal: AbortSignal): Promise<void> {
    const wanted = this.#desired;
    if (wanted === undefined) return;
    const { settings, store, clock, onProgress } = this.#options;
    const startedAt = (this.#beganAt = clock.now());
    const isNew = this.#session === undefined;
    const session = (this.#session ??= await this.#connect(signal));
    const verify = clock.now() >= this.#verifyAt;
    if (verify) session.state.retries.forgetAll();
    const again = wanted === this.#synced ? 'no' : 'if-needed';
    const looks = this.#anotherLook.begin(clock.now()) || verify;
    await session.follow(wanted, looks ? 'discover' : again, signal);
    if (looks) this.#definitions.looked();
    if (verify || isNew) this.#verifyAt = clock.now() + verifyEveryMs * (0.75 + this.#options.random() / 2);
    const desired = await this.#asServerIs(session, wanted, signal);
    const outcome = await syncCluster({
      state: session.state,
      desired,
      policy: settings.sync,
      labelGraceMs: settings.labelGraceMs,
      store,
      clock,
      signal,
      onProgress,
      mode: 'apply',
    });
    const lost = lostContact(outcome);
    if (lost !== undefined) throw lost;
    const broughtKinds = outcome.changes.some(
      ({ action, ref }) => isDefinition(ref) && (action === 'create' || action === 'configure'),
    );
    await session.follow(desired, broughtKinds ? 'discover' : 'no', signal);
    const unknown = unknownKinds(desired, { state: session.state, changes: outcome.changes });
    this.#anotherLook.note([...unknown, ...outcome.unsettled, ...this.#definitions.reasons], clock.now());
    // What was written may have changed what the server serves, and with that what it should hold.
    if ((await this.#asServerIs(session, desired, signal)) !== desired) this.#bell.ring();
    this.#finish(desired, outcome, startedAt);
    onProgress({
      kind: 'cluster',
      cluster: this.cluster.name,
      phase: hasFailed(outcome) ? 'failed' : 'done',
    });
  }

  /**
   * The wish for what the server is known to be: another one than before where it has changed and manifests depend on it.
   * Nothing is ever written, or pruned, for a server of which something else was thought.
   */
  async #asServerIs(
    session: ClusterSession,
    wanted: DesiredState,
    signal: AbortSignal,
  ): Promise<DesiredState> {
    const { server } = session.state;
    this.#options.servers.learn(this.cluster.name, server);
    const desired = await this.#options.stateFor(server);
    if (desired === wanted) return wanted;
    // A wish that came meanwhile is newer, and is asked for in its own turn.
    if (this.#desired === wanted) this.#desired = desired;
    await session.follow(desired, 'no', signal);
    return desired;
  }

  #connect(signal: AbortSignal): Promise<ClusterSession> {
    const { cluster, servers, stateFor } = this.#options;
    return connectSession(cluster, {
      ...this.#options,
      signal,
      lastFacts: servers.get(cluster.name),
      desiredFor: (facts) => {
        servers.learn(cluster.name, facts);
        return stateFor(facts);
      },
      onMove: () => {
        this.#bell.ring();
      },
      onHealth: () => {
        this.#health.note();
      },
      onDefinitions: () => {
        this.#definitions.moved();
        this.#bell.ring();
      },
      onContact: (error) => {
        this.#hear(error);
      },
    });
  }

  /** A watch tells that the cluster is out of reach long before the next write would, and that it is back. */
  #hear(error: FleetError | undefined): void {
    const lost = error !== undefined && stateOf(error) !== 'reachable' ? error : undefined;
    if (lost?.code === this.#watchFailure?.code) return;
    this.#watchFailure = lost;
    if (lost === undefined) this.#retryBell.ring();
    if (lost !== undefined)
      this.#options.logger.warn('contact lost', { cluster: this.cluster.name, error: lost });
    this.#remember();
    this.#options.onUpdate();
  }

  #finish(desired: DesiredState, outcome: SyncOutcome, startedAt: number): void {
    this.#last = { name: this.cluster.name, desired, at: this.#now(), outcome };
    this.#syncFailure = undefined;
    this.#synced = desired;
    // With the contact lost meanwhile it is no news of the cluster that there was nothing to do.
    this.#remember();
    this.#tell(outcome, startedAt);
    this.#options.onUpdate();
  }

  #fail(error: FleetError): void {
    const desired = this.#desired;
    if (desired === undefined) return;
    // What was found before stays known; only the contact is lost.
    if (this.#last === undefined || 'error' in this.#last)
      this.#last = { name: this.cluster.name, desired, at: this.#now(), error };
    if (this.#syncFailure?.code !== error.code)
      this.#options.logger.warn('sync failed', { cluster: this.cluster.name, error });
    this.#syncFailure = error;
    this.#synced = desired;
    this.#remember();
    this.#options.onUpdate();
  }

  #remember(): void {
    if (this.result !== undefined) remember(this.#options.store, this.result);
  }

  #tell(outcome: SyncOutcome, startedAt: number): void {
    const { clock, store } = this.#options;
    if (this.#last === undefined) return;
    const report = toClusterReport(this.#last, store.memory(this.cluster.name));
    this.#log.write(outcome, report, { durationMs: clock.now() - startedAt });
  }

  #nextDueAt(): number {
    const due = [
      this.#session?.state.retries.nextDueAt(),
      this.#verifyAt,
      this.#anotherLook.dueAt,
      this.#desired === undefined
        ? undefined
        : nextGraceEnd({ ...this.#options, seenToAt: this.#beganAt }, this.#desired),
    ].filter((at) => at !== undefined);
    return Math.min(...due);
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}
