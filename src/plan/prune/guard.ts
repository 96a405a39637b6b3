import type { GeneratorInfo, DesiredState } from '../../model/desired.ts';
import type { FleetError } from '../../model/fleet-error.ts';
import type { OwnedObject } from '../../model/observation.ts';
import type { ObjectRef } from '../../model/object-ref.ts';
import type { SyncPolicy } from '../../model/settings.ts';

/** What lives below a Namespace or CustomResourceDefinition and would go with it; unreadable when a read failed. */
export type Cascade =
  | { readonly state: 'known'; readonly contents: readonly ObjectRef[] }
  | { readonly state: 'unreadable'; readonly error: FleetError };

export interface PruneContext {
  readonly cluster: string;
  readonly desired: DesiredState;
  readonly policy: SyncPolicy;
  /** All owned objects, and those of them that no desired state of this cluster has. */
  readonly owned: readonly OwnedObject[];
  readonly candidates: readonly OwnedObject[];
  /** How many objects each generator gives in this revision. */
  readonly desiredCounts: ReadonlyMap<string, number>;
  /** Kinds ('Deployment.apps') whose inventory could not be read this time. */
  readonly unreadableKinds: ReadonlySet<string>;
  readonly cascades: ReadonlyMap<string, Cascade>;
  /** Until when the removals of a generator that stopped matching wait, in ms since the epoch. */
  readonly graceEndsAt: (generator: string) => number;
  readonly now: number;
}

/**
 * Why an object is not deleted now. `group` names what is held together and approved as one; `covers` what an approval
 * takes beyond the object itself.
 */
export type Verdict =
  | { readonly action: 'skipped' | 'pending'; readonly reason: string }
  | {
      readonly action: 'held';
      readonly reason: string;
      readonly group: string;
      readonly covers?: readonly string[];
    };

/** One reason not to delete an object; undefined when it has no objection. */
export type PruneGuard = (candidate: OwnedObject, context: PruneContext) => Verdict | undefined;

/** What Git says today of the generator that brought an object; undefined when it no longer exists. */
export function generatorOf(candidate: OwnedObject, context: PruneContext): GeneratorInfo | undefined {
  return context.desired.generators.get(candidate.generator);
}
