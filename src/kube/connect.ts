import { toFleetError } from '../model/fleet-error.ts';
import type { Cluster } from '../model/settings.ts';
import { type Clock, systemClock } from './clock.ts';
import { openConnection } from './connection.ts';
import { openCredentials } from './credentials.ts';
import type { KubeClient } from './kube-client.ts';
import { openClient } from './open-client.ts';

export interface ConnectOptions {
  /** For a request that names none, all its tries together. Default 30 s. */
  readonly requestDeadlineMs?: number;
  /** Connections for requests, watches apart. Default 16. */
  readonly maxConnections?: number;
  /** Send requests, too, over HTTP/2. Default false: it needs fewer connections, but more CPU a request. */
  readonly allowH2?: boolean;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/**
 * A client for a registered cluster. Reads its kubeconfig, and makes no request yet.
 * @throws FleetError ConfigInvalid for a kubeconfig that cannot be read or lacks the context, naming both.
 */
export async function connectCluster(cluster: Cluster, options: ConnectOptions = {}): Promise<KubeClient> {
  const clock = options.clock ?? systemClock;
  try {
    const credentials = await openCredentials(cluster.connection, () => clock.now());
    const connection = openConnection(credentials, {
      maxConnections: options.maxConnections ?? 16,
      allowH2: options.allowH2 ?? false,
    });
    return openClient(connection, {
      cluster: cluster.name,
      requestDeadlineMs: options.requestDeadlineMs ?? 30_000,
      clock,
      random: options.random ?? Math.random,
    });
  } catch (error) {
    throw toFleetError(error, { cluster: cluster.name });
  }
}
