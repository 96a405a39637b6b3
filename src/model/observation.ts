import type { FleetError } from './fleet-error.ts';
import type { Health } from './health.ts';
import type { JsonObject } from './json.ts';
import type { ObjectRef } from './object-ref.ts';

/** What is kept of a live object that carries our label. Reduced on arrival; holds no values of the object. */
export interface OwnedObject {
  readonly ref: ObjectRef;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The `fleetwright.dev/generator` annotation; '' when somebody removed it. */
  readonly generator: string;
  /** The `fleetwright.dev/desired-hash` annotation; '' when somebody removed it. */
  readonly desiredHash: string;
  /** The object opted out of pruning by its annotation. */
  readonly pruneDisabled: boolean;
  /** The object says by its annotation whether it stays when Git drops it; left out where it does not say. */
  readonly orphan?: boolean;
  /** Fingerprint of our Apply entry (field set and time); '' when the entry is gone. See ownershipOf. */
  readonly ownership: string;
  /** Fingerprint of the fields that people's tools set beside ours; '' when there are none. */
  readonly additions: string;
  readonly deleting: boolean;
  /**
   * Moves with every write that may concern Git, also where neither ownership nor additions do, and with as few others
   * as metadata lets one tell apart: the generation, or for kinds without one the resourceVersion; and when others
   * last wrote anything but the status.
   */
  readonly version: string;
  /** Only where objects of the kind are read whole; `healthy` is one object for all. */
  readonly health?: Health;
}

/**
 * Whether we ever applied an object that carries our label. One that we did not has got the label from another:
 * controllers copy labels to what they create, and people copy manifests. It is nothing of ours to remove.
 */
export function isApplied(owned: OwnedObject): boolean {
  return owned.ownership !== '';
}

/** What is known of an object that Git wants. Only a 404 of a healthy API, or a whole list without it, is absent. */
export type Observation =
  | { readonly state: 'absent' }
  /** Ours, seen in metadata only. */
  | { readonly state: 'owned'; readonly owned: OwnedObject }
  /** Read whole. `merged` is what a dry-run of our apply gives; missing where that was not asked for. */
  | { readonly state: 'present'; readonly live: JsonObject; readonly merged?: JsonObject }
  /** The API server refuses what Git wants, as a dry-run tells. `live` is missing where the object does not exist. */
  | { readonly state: 'rejected'; readonly error: FleetError; readonly live?: JsonObject }
  | { readonly state: 'unknownKind' }
  | { readonly state: 'unreadable'; readonly error: FleetError };

/** What our last write, or the proof that none was needed, left behind. Kept across restarts. */
export interface Baseline {
  readonly ref: ObjectRef;
  readonly uid: string;
  readonly desiredHash: string;
  readonly ownership: string;
  readonly additions: string;
}
