import type { Change, DriftKind } from './change.ts';
import type { FieldPattern } from './field-pattern.ts';
import type { JsonObject } from './json.ts';
import type { OwnedObject } from './observation.ts';
import type { ObjectRef } from './object-ref.ts';
import type { Origin } from './origin.ts';
import type { DriftPolicy } from './settings.ts';

/** A desired object made ready to send: its namespace settled, our label and annotations on it. */
export interface PreparedObject {
  readonly ref: ObjectRef;
  /** refKey(ref). */
  readonly key: string;
  /** What is sent, as plain JSON. */
  readonly body: JsonObject;
  readonly origin: Origin;
  /** Hash of what Git wants; independent of the order of keys and of our label and annotations. */
  readonly hash: string;
  readonly drift: DriftPolicy;
  /** The manifest says that an object which exists already may be taken over. */
  readonly adopt: boolean;
  /** Keys of objects of the same desired state that have to be applied first, as the manifest says. */
  readonly dependsOn: readonly string[];
  /** Fields that are sent when the object is created and left to others afterwards; left out where there are none. */
  readonly leaves?: readonly FieldPattern[];
  /** Left out: it is applied as often as Git or the cluster moves. */
  readonly apply?: 'create-only' | 'replace';
}

/** A write or deletion that is to be done. */
export type PlannedWrite =
  /** Nothing of that name exists: written without force, so that one created meanwhile by others is not overwritten. */
  | {
      readonly action: 'create';
      readonly object: PreparedObject;
      readonly drift?: DriftKind;
      readonly reason?: string;
    }
  | {
      readonly action: 'configure';
      readonly object: PreparedObject;
      readonly live: JsonObject;
      /** Set when Git did not change, but the cluster did. */
      readonly drift?: DriftKind;
      readonly reason?: string;
    }
  | {
      readonly action: 'delete';
      /** The object itself stays: it only ceases to be ours. */
      readonly orphan?: true;
      readonly owned: OwnedObject;
      readonly origin: Origin;
      readonly reason: string;
    };

/** What would make one cluster match: data, complete before anything is done. */
export interface ClusterPlan {
  /** In stages: a stage starts when the one before has ended. Deletions come last, in reverse order of creation. */
  readonly stages: readonly (readonly PlannedWrite[])[];
  /** Everything that needs no request: unchanged, held, pending, skipped and failed. */
  readonly settled: readonly Change[];
}
