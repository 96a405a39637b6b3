import type { FieldDifference, FieldManager } from './field.ts';
import type { FleetError } from './fleet-error.ts';
import type { ObjectRef } from './object-ref.ts';
import type { Origin } from './origin.ts';

interface ChangeBase {
  readonly ref: ObjectRef;
  /** For an object that Git no longer has: the generator that brought it, as its annotation tells, and no line. */
  readonly origin: Origin;
  readonly fields: readonly FieldDifference[];
  /** For an object that others deleted: who did, in order, where an audit log tells. */
  readonly changedBy?: readonly FieldManager[];
}

/** One object and what happens, or happened, to it. Every change that is not plainly done has a reason. */
export type Change =
  | (ChangeBase & { readonly action: 'create' | 'configure' | 'unchanged'; readonly reason?: string })
  | (ChangeBase & { readonly action: 'delete' | 'skipped'; readonly reason: string })
  /** @property waitsFor keys of objects that have to be applied and healthy first; left out where it waits for others. */
  | (ChangeBase & {
      readonly action: 'pending';
      readonly reason: string;
      readonly waitsFor?: readonly string[];
    })
  | (ChangeBase & { readonly action: 'held'; readonly reason: string; readonly holdId: string })
  | (ChangeBase & { readonly action: 'failed'; readonly reason: string; readonly error: FleetError });

export type ChangeAction = Change['action'];

/** Whether the object waits for what it depends on. */
export function isWaiting(change: Change): boolean {
  return change.action === 'pending' && change.waitsFor !== undefined;
}

/** How an object departs from Git. */
export type DriftKind = 'changed' | 'missing' | 'extra' | 'unlabelled' | 'conflict';

/** One object that departed from Git without Git having changed. */
export interface Drift {
  readonly ref: ObjectRef;
  readonly origin: Origin;
  readonly kind: DriftKind;
  readonly fields: readonly FieldDifference[];
  /** For a missing object: who deleted it, in order, where an audit log tells. */
  readonly changedBy?: readonly FieldManager[];
  readonly action: 'corrected' | 'reported' | 'ignored' | 'pending';
  /** RFC 3339. */
  readonly detectedAt: string;
  readonly correctedAt?: string;
  readonly reason?: string;
}
