import { clusterHealth } from '../health/cluster-health.ts';
import type { FleetError } from '../model/fleet-error.ts';
import type { ClusterHealth } from '../model/health.ts';
import type { ClusterOutcome } from './cluster-outcome.ts';
import type { ClusterSession } from './cluster-session.ts';

export interface Contact {
  readonly session: ClusterSession | undefined;
  /** Why the last sync could not speak to the cluster, and why the watches cannot: either is enough. */
  readonly syncFailure: FleetError | undefined;
  readonly watchFailure: FleetError | undefined;
}

/** How a cluster stands now: as its last sync left it, what the watches tell since, and whether it is out of reach. */
export function presentOutcome(last: ClusterOutcome, contact: Contact): ClusterOutcome {
  const known = { ...seenAt(last, contact), ...healthNow(contact) };
  const error = contact.syncFailure ?? contact.watchFailure;
  if (error === undefined) return { ...last, ...known };
  const { name, desired, at } = last;
  const drifts = 'outcome' in last ? { drifts: last.outcome.drifts } : {};
  return { name, desired, at, error, ...drifts, ...known };
}

function healthNow({ session }: Contact): { health?: ClusterHealth } {
  const health = session && clusterHealth(session.state.inventory.owned());
  return health === undefined ? {} : { health };
}

/** The watches hear of a quiet cluster long after its last sync. */
function seenAt(last: ClusterOutcome, { session, watchFailure }: Contact): { seenAt?: string } {
  const heardAtMs = session?.observer.lastHeardAtMs();
  if (heardAtMs === undefined) return {};
  // A sync that found nothing to ask proves no contact.
  const syncedAtMs = 'outcome' in last && watchFailure === undefined ? Date.parse(last.at) : 0;
  return { seenAt: new Date(Math.max(heardAtMs, syncedAtMs)).toISOString() };
}
