import { compareText } from '../model/object-ref.ts';
import { FleetError } from '../model/fleet-error.ts';
import type { Cluster } from '../model/settings.ts';

/** A cluster and the place that registers it, for messages. */
export interface Registration {
  readonly cluster: Cluster;
  readonly place: string;
}

/** What one source of clusters gives. */
export interface RegistryPart {
  readonly registrations: readonly Registration[];
  readonly faults: readonly FleetError[];
}

/** A fault of a registry file. */
export function registryFault(file: string, message: string, line = 1): FleetError {
  return new FleetError('ConfigInvalid', message, { origin: { generator: '', file, document: 1, line } });
}

export interface Registry {
  /** By name. */
  readonly clusters: readonly Cluster[];
  /** While there is one, a cluster that is missing may be registered all the same. */
  readonly faults: readonly FleetError[];
}

/**
 * All parts as one. Clusters that share a name are left out: with either of them, what is meant for one could be
 * written into the other.
 */
export function joinRegistry(parts: readonly RegistryPart[]): Registry {
  const byName = Map.groupBy(
    parts.flatMap(({ registrations }) => registrations),
    ({ cluster }) => cluster.name,
  );
  const clusters: Cluster[] = [];
  const faults = parts.flatMap((part) => part.faults);
  for (const [name, registrations] of byName) {
    const [first] = registrations;
    if (first !== undefined && registrations.length === 1) clusters.push(first.cluster);
    else faults.push(duplicateFault(name, registrations));
  }
  return { clusters: clusters.sort((a, b) => compareText(a.name, b.name)), faults };
}

function duplicateFault(name: string, registrations: readonly Registration[]): FleetError {
  const places = registrations.map(({ place }) => place).sort(compareText);
  const message = `${registrations.length} clusters are named ${JSON.stringify(name)}, so none of them is used: ${places.join('; ')}`;
  return new FleetError('ConfigInvalid', message, { cluster: name });
}
