import type { FleetError } from './fleet-error.ts';
import type { JsonObject } from './json.ts';
import type { ObjectRef } from './object-ref.ts';
import type { Origin } from './origin.ts';
import type { DriftPolicy, PruneLimit } from './settings.ts';

/** One object that Git wants in one cluster. */
export interface DesiredObject {
  /** `namespace` is '' where the manifest names none: whether it needs one is known only with the cluster's discovery. */
  readonly ref: ObjectRef;
  /** The manifest after overrides, as plain JSON, otherwise untouched. Never mutated. */
  readonly manifest: JsonObject;
  readonly origin: Origin;
  /** Namespace for a namespaced object that names none. */
  readonly defaultNamespace: string;
  /** Fields that patches of the generator set or removed, the last writer of each; left out where there are none. */
  readonly patched?: readonly PatchedField[];
}

/** A field that a patch wrote last: keys and indexes from the manifest's root, and where in the generator's file it says so. */
export interface PatchedField {
  readonly path: readonly (string | number)[];
  readonly origin: Origin;
}

/**
 * What is known of a generator for one cluster.
 * rendered: it matches and was read whole; failed: it could not be read whole;
 * unmatched: it exists, but its selector does not match the cluster's labels.
 * A generator that is not listed no longer exists in Git.
 */
export type GeneratorState = 'rendered' | 'failed' | 'unmatched';

export interface GeneratorInfo {
  readonly name: string;
  readonly state: GeneratorState;
  readonly sync: GeneratorSyncPolicy;
  /** Generators that must be healthy in the cluster first; left out where there are none. */
  readonly dependsOn?: readonly string[];
}

/** What a generator sets; the fleet's policy holds where it sets nothing. */
export interface GeneratorSyncPolicy {
  readonly drift?: DriftPolicy;
  readonly prune?: boolean;
  readonly pruneLimit?: PruneLimit;
  /** What becomes of objects that Git drops; they are deleted unless set. */
  readonly deletion?: 'delete' | 'orphan';
}

/** What one revision gives one cluster. */
export interface DesiredState {
  readonly cluster: string;
  readonly revision: string;
  /** Sorted by compareRefs; no two name the same object. */
  readonly objects: readonly DesiredObject[];
  /** Generators by name, and 'clusters/<name>' where that directory exists. */
  readonly generators: ReadonlyMap<string, GeneratorInfo>;
  /** Every fault found. While there is one, nothing of the cluster may be pruned. */
  readonly faults: readonly FleetError[];
  /** The labels that targeting used: the registry's merged with cluster.yaml's. */
  readonly labels: Readonly<Record<string, string>>;
  /** Things a person should know that are no faults. */
  readonly warnings: readonly string[];
}
