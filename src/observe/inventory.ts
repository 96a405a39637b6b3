import type { FleetError } from '../model/fleet-error.ts';
import type { ObjectRef } from '../model/object-ref.ts';
import type { OwnedObject } from '../model/observation.ts';

/**
 * What is known of a kind's owned objects. 'syncing': the first whole read is under way; 'synced': the store holds
 * all of them; 'failed': they cannot be read at the moment. What a failed kind held before stays in the store, and
 * what is not in the store is then unknown, never absent.
 */
export type KindState =
  | { readonly state: 'syncing' }
  | { readonly state: 'synced' }
  | { readonly state: 'failed'; readonly error: FleetError };

/** The owned objects of one cluster, as far as they can be read. */
export interface Inventory {
  /** For a kind that nobody asked for: failed. */
  kindState(groupKind: string): KindState;
  owned(): IterableIterator<OwnedObject>;
  get(ref: ObjectRef): OwnedObject | undefined;
}

/** An owned object appeared (no `before`), changed in something that matters, or is ours no more (no `after`). */
export interface OwnedChange {
  readonly ref: ObjectRef;
  readonly before?: OwnedObject;
  readonly after?: OwnedObject;
  /** Nothing changed but how it fares. */
  readonly only?: 'health';
}
