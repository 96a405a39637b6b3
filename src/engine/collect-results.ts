import type { WriteResult } from '../apply/write-result.ts';
import type { Change, Drift } from '../model/change.ts';
import { type JsonObject, stringAt } from '../model/json.ts';
import { additionsOf, ownershipOf } from '../model/managed-fields.ts';
import type { Baseline } from '../model/observation.ts';
import { refKey } from '../model/object-ref.ts';
import type { PreparedObject } from '../model/plan.ts';
import type { FoundDrift } from '../plan/decide/decision.ts';
import { addedFields, fieldDifferences } from '../plan/field-differences.ts';
import { droppedFields } from '../plan/fields/dropped-fields.ts';

/** What a result means: for the report, for the history, and for the next comparison. */
export interface Collected {
  readonly change: Change;
  readonly drift?: Drift;
  readonly baseline?: Baseline;
  /** What people's tools have put beside ours and our apply leaves in place. */
  readonly remaining?: FoundDrift;
  /** The key whose baseline no longer holds. */
  readonly removedKey?: string;
}

export interface CollectOptions {
  readonly maskKey: string;
  /** RFC 3339: when the drift was noticed, and now. */
  readonly detectedAt: string;
  readonly now: string;
}

/** Reads one result of the applier. Pure. */
export function collectResult(result: WriteResult, options: CollectOptions): Collected {
  switch (result.outcome) {
    case 'applied':
      return collectApplied(result, options);
    case 'deleted': {
      const { owned, origin, reason } = result.write;
      const suffix = {
        deleted: '',
        deleting: '; it goes when its finalizers or its grace period are done',
        gone: '; it was gone already',
        replaced: '; another object of that name lives now',
        orphaned: '',
      };
      const change: Change = {
        // What stays is changed: it loses our marks.
        action: result.how === 'orphaned' ? 'configure' : 'delete',
        ref: owned.ref,
        origin,
        fields: [],
        reason: `${reason}${suffix[result.how]}`,
      };
      return { change, removedKey: refKey(owned.ref) };
    }
    case 'failed':
      return { change: failedChange(result) };
  }
}

/** The baseline that an object's own managedFields give. */
export function baselineOf(object: PreparedObject, live: JsonObject): Baseline {
  return {
    ref: object.ref,
    uid: stringAt(live, 'metadata', 'uid') ?? '',
    desiredHash: object.hash,
    ownership: ownershipOf(live),
    additions: additionsOf(live),
  };
}

function remainingAdditions(
  object: PreparedObject,
  live: JsonObject,
  maskKey: string,
): { remaining?: FoundDrift } {
  const { ref, origin, drift } = object;
  const fields = addedFields(live, { ...object, maskKey });
  const action = drift === 'ignore' ? 'ignored' : 'reported';
  return fields.length === 0 ? {} : { remaining: { ref, origin, kind: 'changed', fields, action } };
}

function collectApplied(
  result: Extract<WriteResult, { outcome: 'applied' }>,
  options: CollectOptions,
): Collected {
  const { write, object } = result;
  const { ref, origin } = write.object;
  const baseline = baselineOf(write.object, object);
  const left = remainingAdditions(write.object, object, options.maskKey);
  const stays = write.action === 'create' ? undefined : droppedFields(write.live, object, write.object);
  const reason = [write.reason, stays, ...result.warnings.map((warning) => `the server warns: ${warning}`)]
    .filter((part) => part !== undefined)
    .join('; ');
  const base = { ref, origin, ...(reason === '' ? {} : { reason }) };
  if (write.action === 'create') {
    const drift =
      write.drift === undefined
        ? {}
        : { drift: corrected(write.object, { kind: write.drift, fields: [] }, options) };
    return { change: { action: 'create', ...base, fields: [] }, baseline, ...drift };
  }
  const fields = fieldDifferences(write.live, object, { ...write.object, maskKey: options.maskKey });
  // The server wrote nothing: what it had was what Git wants.
  if (
    stringAt(write.live, 'metadata', 'resourceVersion') === stringAt(object, 'metadata', 'resourceVersion')
  ) {
    return { change: { action: 'unchanged', ref, origin, fields: [] }, baseline, ...left };
  }
  const change: Change = { action: 'configure', ...base, fields };
  if (write.drift === undefined) return { change, baseline, ...left };
  return {
    change,
    baseline,
    ...left,
    drift: corrected(write.object, { kind: write.drift, fields }, options),
  };
}

function corrected(
  object: PreparedObject,
  { kind, fields }: Pick<Drift, 'kind' | 'fields'>,
  options: CollectOptions,
): Drift {
  return {
    ref: object.ref,
    origin: object.origin,
    kind,
    fields,
    action: 'corrected',
    detectedAt: options.detectedAt,
    correctedAt: options.now,
    ...(fields.length === 0 && kind === 'changed'
      ? { reason: 'the values agree, but others had taken over fields of ours' }
      : {}),
  };
}

function failedChange({ write, error }: Extract<WriteResult, { outcome: 'failed' }>): Change {
  const { ref, origin } =
    write.action === 'delete' ? { ref: write.owned.ref, origin: write.origin } : write.object;
  return { action: 'failed', ref, origin, fields: [], reason: error.message, error };
}
