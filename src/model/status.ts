import type { FleetError } from './fleet-error.ts';
import type { ClusterHealth } from './health.ts';
import type { ClusterState } from './report.ts';

/** A fleet at a glance. Times are RFC 3339. */
export interface FleetStatus {
  readonly fleet: string;
  /** Full commit id; '' before the first revision was read. */
  readonly revision: string;
  readonly generatedAt: string;
  /** The last try to fetch; missing before the first. With `error` it failed and `revision` is older. */
  readonly lastFetch?: { readonly at: string; readonly error?: FleetError };
  readonly clusters: readonly ClusterStatus[];
  readonly generators: readonly GeneratorStatus[];
  /** Faults that concern no single cluster: Git, settings, a generator file. */
  readonly errors?: readonly FleetError[];
}

export interface ClusterStatus {
  readonly name: string;
  readonly state: ClusterState;
  readonly labels: Readonly<Record<string, string>>;
  /** Missing when it never answered. */
  readonly lastSeenAt?: string;
  /** The revision it was last brought to. */
  readonly revision?: string;
  readonly lastSyncAt?: string;
  /** How many objects Git wants there. */
  readonly objects: number;
  readonly drifted: number;
  readonly held: number;
  readonly failed: number;
  /** How the objects fare whose health is watched; missing where there are none, or nothing is known yet. */
  readonly health?: ClusterHealth;
  /** One sentence on what is wrong. */
  readonly message?: string;
}

export interface GeneratorStatus {
  readonly name: string;
  /** How many clusters it matches. */
  readonly clusters: number;
  /** How many objects it gives all of them together. */
  readonly objects: number;
}
