import type { Clock } from '../kube/clock.ts';
import { connectCluster } from '../kube/connect.ts';
import type { DesiredState } from '../model/desired.ts';
import type { ServerFacts } from '../model/server-facts.ts';
import type { Cluster, FleetSettings } from '../model/settings.ts';
import type { StateStore } from '../store/state-store.ts';
import { type ClusterSession, openSession, type SessionListeners } from './cluster-session.ts';
import { learnServer } from './learn-server.ts';

export interface ConnectOptions extends SessionListeners {
  readonly settings: FleetSettings;
  readonly store: StateStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** What the server said of itself last. */
  readonly lastFacts: ServerFacts | undefined;
  /** What a cluster with such a server should hold. */
  readonly desiredFor: (facts: ServerFacts) => Promise<DesiredState>;
}

/**
 * Connects to a cluster, asks what its server is, and watches what it should hold.
 * @throws FleetError when the cluster cannot be spoken to; no connection stays open then.
 */
export async function connectSession(cluster: Cluster, options: ConnectOptions): Promise<ClusterSession> {
  const { settings, clock, random, lastFacts, desiredFor, signal } = options;
  const client = await connectCluster(cluster, { clock, random });
  try {
    const server = await learnServer(client, lastFacts, signal);
    return await openSession({
      ...options,
      server,
      client,
      fleet: settings.name,
      desired: await desiredFor(server.facts),
      intervalMs: settings.source.intervalMs,
      auditPath: cluster.audit?.path,
    });
  } catch (error) {
    await client.close();
    throw error;
  }
}
