import type { Clock } from '../kube/clock.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import type { DesiredState } from '../model/desired.ts';
import type { FleetError } from '../model/fleet-error.ts';
import { groupKindOf } from '../model/object-ref.ts';
import { AuditLog } from '../observe/audit/audit-log.ts';
import type { OwnedChange } from '../observe/inventory.ts';
import { type ClusterObserver, openObserver } from '../observe/observer.ts';
import { watchDefinitions } from '../observe/watch-definitions.ts';
import type { StateStore } from '../store/state-store.ts';
import { stateOf } from './cluster-outcome.ts';
import type { ClusterState } from './cluster-state.ts';
import { healthKinds } from './health-kinds.ts';
import { type KnownServer, learnServer } from './learn-server.ts';
import { kindsToObserve, openCluster } from './open-cluster.ts';
import type { RecentWrites } from './recent-writes.ts';
import type { RetryMemory } from './retry-memory.ts';

/** What a session tells. */
export interface SessionListeners {
  /** Something that matters moved in the cluster. */
  readonly onMove: () => void;
  /** How an object fares has changed, and nothing else. */
  readonly onHealth: () => void;
  /** What the server serves has changed, or is about to. */
  readonly onDefinitions: () => void;
  /** A watch was lost, or is back: undefined. */
  readonly onContact: (error: FleetError | undefined) => void;
}

export interface SessionOptions extends SessionListeners {
  readonly fleet: string;
  readonly client: KubeClient;
  readonly server: KnownServer;
  readonly desired: DesiredState;
  readonly store: StateStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly intervalMs: number;
  /** Where the API server's audit log is, for a cluster that has one here. */
  readonly auditPath: string | undefined;
  readonly signal: AbortSignal;
}

/** A cluster that is being watched. */
export interface ClusterSession {
  readonly state: ClusterState;
  readonly observer: ClusterObserver;
  /**
   * Watches what the desired state needs.
   * @param again ask anew what the server is and serves, which state.server then tells: in any case, if kinds are needed that were not served, or not at all.
   */
  follow(desired: DesiredState, again: 'discover' | 'if-needed' | 'no', signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Opens a session: the ApplySet's parent, and a watch for each kind that is or will be ours. */
export async function openSession(options: SessionOptions): Promise<ClusterSession> {
  const { client, signal, onMove } = options;
  let recent: RecentWrites | undefined;
  let retries: RetryMemory | undefined;
  let observer: ClusterObserver | undefined;
  const audit = options.auditPath === undefined ? undefined : new AuditLog(options.auditPath);
  const onChange = (change: OwnedChange): void => {
    recent?.seen(change);
    onMove();
  };
  try {
    const state = await openCluster({
      ...options,
      audit,
      takeInventory: async (applySetId, kinds, whole) => {
        observer = openObserver({
          client,
          applySetId,
          onChange,
          onHealth: ({ ref }) => {
            if (retries?.isAwaited(ref) === true) onMove();
            else options.onHealth();
          },
          isWatchedClosely: (ref) => retries?.isWatchedClosely(ref) ?? false,
          onKindState: (groupKind, kind) => {
            if (kind.state === 'syncing') return;
            if (kind.state === 'synced') recent?.readWhole(groupKind);
            const error = kind.state === 'failed' ? kind.error : undefined;
            options.onContact(error);
            // Out of reach there is nothing to do until it is back, and that is told, too.
            if (stateOf(error) === 'reachable') onMove();
          },
          clock: options.clock,
          random: options.random,
        });
        observer.watch(kinds, whole);
        await observer.whenSettled(signal);
        return observer;
      },
    });
    ({ inventory: recent, retries } = state);
    if (observer === undefined) throw new Error('openCluster takes the inventory');
    const endDefinitions = watchDefinitions({
      client,
      discovery: state.discovery,
      clock: options.clock,
      random: options.random,
      onMove: options.onDefinitions,
    });
    return sessionOf(state, observer, endDefinitions);
  } catch (error) {
    await observer?.stop();
    await audit?.close();
    throw error;
  }
}

function sessionOf(
  state: ClusterState,
  observer: ClusterObserver,
  endDefinitions: () => Promise<void>,
): ClusterSession {
  const { client } = state;
  return {
    state,
    observer,
    async follow(desired, again, signal) {
      const isUnserved = (): boolean =>
        desired.objects.some(({ ref }) => state.discovery.find(ref.apiVersion, ref.kind) === undefined);
      if (again === 'discover' || (again === 'if-needed' && isUnserved())) {
        const { discovery, facts } = await learnServer(client, state.server, signal);
        state.discovery = discovery;
        state.server = facts;
        state.retries.forgetUnknownKinds();
      }
      const { discovery, groupKinds, baselines } = state;
      const kinds = kindsToObserve({ discovery, groupKinds, desired, baselines });
      const isNew = kinds.some((kind) => {
        const known = observer.kindState(groupKindOf(kind));
        return known.state === 'failed' && known.error.code === 'KindUnknown';
      });
      const whole = healthKinds(kinds, desired);
      const isSame = whole.symmetricDifference(state.healthKinds).size === 0;
      if (!isNew && isSame && again !== 'discover') return;
      state.healthKinds = whole;
      observer.watch(kinds, state.healthKinds);
      await observer.whenSettled(signal);
    },
    async close() {
      await Promise.all([observer.stop(), endDefinitions()]);
      await state.audit?.close();
      await client.close();
    },
  };
}
