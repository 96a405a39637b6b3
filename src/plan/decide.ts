import { type Change, type Drift, type DriftKind } from '../model/change.ts';
import { type FieldDifference } from '../model/field.ts';
import { FleetError } from '../model/fleet-error.ts';
import { type JsonObject, jsonEqual, stringAt } from '../model/json.ts';
import { managedFieldsOf, ownEntry, ownershipOf } from '../model/managed-fields.ts';
import { type Baseline, type Observation } from '../model/observation.ts';
import { type PlannedWrite, type PreparedObject } from '../model/plan.ts';
import { partOfLabel, desiredHashAnnotation, generatorAnnotation } from '../model/apply-set.ts';
import { addedFields, fieldDifferences } from './field-differences.ts';
import { foreignOwner, lostOurLabel } from './foreign-owner.ts';
import { holdId } from './hold-id.ts';

export interface DecideContext {
  readonly cluster: string;
  readonly applySetId: string;
  readonly maskKey: string;
  readonly isApproved: (holdId: string) => boolean;
  readonly baseline: (key: string) => Baseline | undefined;
  /** Git's present wish was applied before, as far as is known: an object that is absent was deleted by others. */
  readonly wasApplied: (object: PreparedObject) => boolean;
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

/** Decides about one object from what was read of it. Total: every observation has an outcome. */
export function decide(object: PreparedObject, observation: Observation, context: DecideContext): Decision {
  switch (observation.state) {
    case 'absent':
      return decideAbsent(object, context);
    case 'owned':
      return { outcome: { settled: settled(object, 'unchanged') } };
    case 'present':
      return decidePresent(object, observation, context);
    case 'rejected':
    case 'unreadable':
      return failed(object, observation.error);
    case 'unknownKind':
      return failed(
        object,
        new FleetError('KindUnknown', `the cluster serves no ${object.ref.kind} in ${object.ref.apiVersion}`),
      );
  }
}

function decideAbsent(object: PreparedObject, context: DecideContext): Decision {
  if (!context.wasApplied(object)) return { outcome: { write: { action: 'create', object } } };
  const drift = found(object, { kind: 'missing', fields: [] });
  if (object.drift !== 'correct')
    return { outcome: { settled: settled(object, 'skipped', [], `drift is set to ${object.drift}`) }, drift };
  return { outcome: { write: { action: 'create', object, drift: 'missing' } }, drift };
}

interface Present {
  readonly live: JsonObject;
  readonly merged?: JsonObject;
}

function decidePresent(object: PreparedObject, { live, merged }: Present, context: DecideContext): Decision {
  if (stringAt(live, 'metadata', 'deletionTimestamp') !== undefined) {
    return {
      outcome: {
        settled: settled(object, 'pending', [], 'it is being deleted and is created anew when it is gone'),
      },
    };
  }
  const ours = stringAt(live, 'metadata', 'labels', partOfLabel) === context.applySetId;
  if (ours) return decideOurs(object, { live, ...(merged === undefined ? {} : { merged }) }, context);
  const baseline = context.baseline(object.key);
  if (lostOurLabel(live) || baseline?.uid === stringAt(live, 'metadata', 'uid')) {
    return decideDrift(
      object,
      { live, ...(merged === undefined ? {} : { merged }) },
      { kind: 'unlabelled', context },
    );
  }
  return decideForeign(object, { live, ...(merged === undefined ? {} : { merged }) }, context);
}

function decideOurs(object: PreparedObject, present: Present, context: DecideContext): Decision {
  const { live, merged } = present;
  const gitMoved =
    stringAt(live, 'metadata', 'annotations', desiredHashAnnotation) !== object.hash ||
    stringAt(live, 'metadata', 'annotations', generatorAnnotation) !== object.origin.generator;
  const ownershipIntact = isOwnershipIntact(object, live, context);
  // A field that somebody took over from us looks like an addition until our apply has taken it back.
  const counted = merged ?? (ownershipIntact ? live : undefined);
  const additions =
    counted === undefined ? [] : addedFields(counted, { ref: object.ref, maskKey: context.maskKey });
  const additionDrift =
    additions.length === 0
      ? {}
      : { drift: found(object, { kind: 'changed', fields: additions, action: 'reported' }) };
  if (gitMoved && !annotationsAlone(object, live, context)) {
    return { outcome: { write: { action: 'configure', object, live } }, ...additionDrift };
  }
  if (ownershipIntact || (merged !== undefined && sameAfterApply(live, merged, context, object))) {
    return { outcome: { settled: settled(object, 'unchanged') }, proven: live, ...additionDrift };
  }
  return decideDrift(object, present, { kind: 'changed', context, additions });
}

function isOwnershipIntact(object: PreparedObject, live: JsonObject, context: DecideContext): boolean {
  const baseline = context.baseline(object.key);
  return (
    baseline?.ownership === ownershipOf(live) &&
    baseline.desiredHash === object.hash &&
    baseline.uid === stringAt(live, 'metadata', 'uid')
  );
}

/** Our annotations differ although the baseline says that we wrote what Git wants: somebody edited the annotations. */
function annotationsAlone(object: PreparedObject, live: JsonObject, context: DecideContext): boolean {
  const baseline = context.baseline(object.key);
  return baseline?.desiredHash === object.hash && baseline.uid === stringAt(live, 'metadata', 'uid');
}

function sameAfterApply(
  live: JsonObject,
  merged: JsonObject,
  context: DecideContext,
  object: PreparedObject,
): boolean {
  const before = ownEntry(managedFieldsOf(live));
  const after = ownEntry(managedFieldsOf(merged));
  return (
    before !== undefined &&
    jsonEqual(before.fields, after?.fields) &&
    fieldDifferences(live, merged, { ref: object.ref, maskKey: context.maskKey }).length === 0
  );
}

function decideDrift(
  object: PreparedObject,
  { live, merged }: Present,
  {
    kind,
    context,
    additions = [],
  }: { kind: DriftKind; context: DecideContext; additions?: readonly FieldDifference[] },
): Decision {
  const fields =
    merged === undefined ? [] : fieldDifferences(live, merged, { ref: object.ref, maskKey: context.maskKey });
  const drift = found(object, { kind, fields: [...fields, ...additions] });
  if (object.drift === 'correct')
    return { outcome: { write: { action: 'configure', object, live, drift: kind } }, drift };
  return {
    outcome: { settled: settled(object, 'skipped', fields, `drift is set to ${object.drift}`) },
    drift,
  };
}

function decideForeign(object: PreparedObject, { live, merged }: Present, context: DecideContext): Decision {
  const owner = foreignOwner(live, context.applySetId);
  if (owner !== undefined) {
    const error = new FleetError('OwnershipConflict', `it belongs to ${owner}; remove it there or here`);
    return {
      ...failed(object, error),
      drift: found(object, { kind: 'conflict', fields: [], action: 'reported', reason: error.message }),
    };
  }
  const fields =
    merged === undefined
      ? undefined
      : fieldDifferences(live, merged, { ref: object.ref, maskKey: context.maskKey }).filter(
          (field) => !ourLabel(field),
        );
  const id = holdId([
    context.cluster,
    'adopt',
    object.key,
    stringAt(live, 'metadata', 'uid') ?? '',
    object.hash,
  ]);
  if (object.adopt || fields?.length === 0 || context.isApproved(id)) {
    return {
      outcome: {
        write: { action: 'configure', object, live, reason: 'adopted: it existed and belonged to nobody' },
      },
    };
  }
  const reason = 'it exists, belongs to nobody and differs from Git; taking it over changes the fields shown';
  const { ref, origin } = object;
  return { outcome: { settled: { action: 'held', ref, origin, fields: fields ?? [], reason, holdId: id } } };
}

function ourLabel(field: FieldDifference): boolean {
  return (
    field.live === undefined &&
    (field.path === `.metadata.labels["${partOfLabel}"]` || isLabelMapWithOnlyOurs(field))
  );
}

function isLabelMapWithOnlyOurs(field: FieldDifference): boolean {
  const { desired } = field;
  return (
    field.path === '.metadata.labels' &&
    typeof desired === 'object' &&
    desired !== null &&
    Object.keys(desired).every((key) => key === partOfLabel)
  );
}

function found(
  object: PreparedObject,
  drift: { kind: DriftKind; fields: readonly FieldDifference[]; action?: Drift['action']; reason?: string },
): FoundDrift {
  const policyAction = { correct: 'pending', report: 'reported', ignore: 'ignored' } as const;
  return { ref: object.ref, origin: object.origin, action: policyAction[object.drift], ...drift };
}

function settled(
  object: PreparedObject,
  action: 'unchanged' | 'pending' | 'skipped',
  fields: readonly FieldDifference[] = [],
  reason = '',
): Change {
  const { ref, origin } = object;
  if (action === 'unchanged') return { action, ref, origin, fields };
  return { action, ref, origin, fields, reason };
}

function failed(object: PreparedObject, cause: FleetError): Decision {
  const { ref, origin } = object;
  const error = cause.about({ ref, origin });
  return {
    outcome: { settled: { action: 'failed', ref, origin, fields: [], reason: error.message, error } },
  };
}
