import type { Change, Drift } from '../../model/change.ts';
import type { FieldDifference } from '../../model/field.ts';
import { FleetError } from '../../model/fleet-error.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Baseline } from '../../model/observation.ts';
import type { PlannedWrite, PreparedObject } from '../../model/plan.ts';

export interface DecideContext {
  readonly cluster: string;
  readonly applySetId: string;
  /** Key of the hashes that stand in for the values of Secrets. */
  readonly maskKey: string;
  /** @param members what is held under the id, as keys: what is left of an approved set stays approved. */
  readonly isApproved: (holdId: string, members: readonly string[]) => boolean;
  readonly baseline: (key: string) => Baseline | undefined;
  /** Git's present wish was applied before, as far as is known: an object that is absent was deleted by others. */
  readonly wasApplied: (object: PreparedObject) => boolean;
}

/** An object that was read: as it is, and as our apply would make it where the server was asked. */
export interface Present {
  readonly live: JsonObject;
  readonly merged?: JsonObject;
}

/** What is found of an object's departure from Git; when it was found is for the caller to say. */
export type FoundDrift = Omit<Drift, 'detectedAt' | 'correctedAt'>;

/** What to do with one object, and the drift that was found on the way. */
export interface Decision {
  readonly outcome: { readonly write: PlannedWrite } | { readonly settled: Change };
  readonly drift?: FoundDrift;
  /** The live object was proven to be as Git wants it: its ownership is the new baseline. */
  readonly proven?: JsonObject;
}

export function write(planned: PlannedWrite): Decision {
  return { outcome: { write: planned } };
}

export function unchanged({ ref, origin }: PreparedObject): Decision {
  return { outcome: { settled: { action: 'unchanged', ref, origin, fields: [] } } };
}

/** Nothing can be written until the object is gone. */
export function waitForDeletion({ ref, origin }: Pick<PreparedObject, 'ref' | 'origin'>): Change {
  const reason = 'it is being deleted and is created anew when it is gone';
  return { action: 'pending', ref, origin, fields: [], reason };
}

/** Drift that the policy leaves as it is. */
export function leaveDrift(object: PreparedObject, fields: readonly FieldDifference[] = []): Decision {
  const { ref, origin, drift } = object;
  return {
    outcome: { settled: { action: 'skipped', ref, origin, fields, reason: `drift is set to ${drift}` } },
  };
}

export function failed({ ref, origin }: PreparedObject, cause: FleetError): Decision {
  const error = cause.about({ ref, origin });
  return {
    outcome: { settled: { action: 'failed', ref, origin, fields: [], reason: error.message, error } },
  };
}

/** Another tool owns the object: reported, and never taken over. */
export function conflict(object: PreparedObject, owner: string): Decision {
  const error = new FleetError('OwnershipConflict', `it belongs to ${owner}; remove it there or here`);
  const drift = found(object, { kind: 'conflict', fields: [], action: 'reported', reason: error.message });
  return { ...failed(object, error), drift };
}

const actionOf = { correct: 'pending', report: 'reported', ignore: 'ignored' } as const;

/** Drift of an object; what becomes of it is as its policy says unless `action` is given. */
export function found(
  object: PreparedObject,
  drift: Pick<FoundDrift, 'kind' | 'fields' | 'reason'> & { readonly action?: Drift['action'] },
): FoundDrift {
  return { ref: object.ref, origin: object.origin, action: actionOf[object.drift], ...drift };
}
