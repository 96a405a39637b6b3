import type { DriftKind } from '../../model/change.ts';
import type { FieldDifference } from '../../model/field.ts';
import { type JsonObject, jsonEqual, stringAt } from '../../model/json.ts';
import { type HandOver, handOverOf, indivisibleFault } from '../../model/hand-over.ts';
import { managedFieldsOf, ownEntry, ownershipOf } from '../../model/managed-fields.ts';
import type { PreparedObject } from '../../model/plan.ts';
import { addedFields, fieldDifferences } from '../field-differences.ts';
import {
  type DecideContext,
  type Decision,
  failed,
  found,
  leaveDrift,
  type Present,
  unchanged,
  write,
} from './decision.ts';
import { gitMoved } from './git-moved.ts';

/** Decides about an object that is ours: by its label, or by our memory of it where the label was taken off. */
export function decideOurs(
  object: PreparedObject,
  present: Present,
  { kind, context }: { readonly kind: 'changed' | 'unlabelled'; readonly context: DecideContext },
): Decision {
  const { live, merged } = present;
  const baseline = context.baseline(object.key);
  const intact = isIntact(object, live, context);
  const additions = additionsIn(object, merged ?? (intact ? live : undefined), context);
  const beside = additions.length === 0 ? {} : { drift: addition(object, additions) };
  if (gitMoved(object, live, baseline)) return { ...write({ action: 'configure', object, live }), ...beside };
  const handOver = handOverOf(live, object);
  if (handOver.kind === 'indivisible') return failed(object, indivisibleFault(handOver.path));
  const reason = reasonToHandOver(object, handOver);
  if (reason !== undefined) return { ...write({ action: 'configure', object, live, reason }), ...beside };
  if (kind === 'changed' && (intact || isSameAfterApply(object, present, context))) {
    return { ...unchanged(object), proven: live, ...beside };
  }
  return decideDrift(object, present, { kind, context, additions });
}

/** What is Git's wish in any case; and what others took a share in, where that is put right. */
function reasonToHandOver({ drift }: PreparedObject, handOver: HandOver): string | undefined {
  if (handOver.kind !== 'patch') return undefined;
  // A write that was interrupted left us the owner.
  if (handOver.lets) return 'fields that Git leaves to others were still ours';
  return drift === 'correct' && handOver.takesFrom.length > 0
    ? `fields of ours were also those of ${handOver.takesFrom.join(' and ')}`
    : undefined;
}

/** Our entry in managedFields is just as our last write left it: nobody has touched a field of ours. */
function isIntact(object: PreparedObject, live: JsonObject, context: DecideContext): boolean {
  const baseline = context.baseline(object.key);
  return (
    baseline?.ownership === ownershipOf(live) &&
    baseline.desiredHash === object.hash &&
    baseline.uid === stringAt(live, 'metadata', 'uid')
  );
}

function isSameAfterApply(
  object: PreparedObject,
  { live, merged }: Present,
  context: DecideContext,
): boolean {
  if (merged === undefined) return false;
  const before = ownEntry(managedFieldsOf(live));
  const after = ownEntry(managedFieldsOf(merged));
  return (
    before !== undefined &&
    jsonEqual(before.fields, after?.fields) &&
    fieldDifferences(live, merged, { ...object, maskKey: context.maskKey }).length === 0
  );
}

/**
 * What people's tools put beside ours. A field that somebody took over from us looks just like it until our apply has
 * taken it back, so it is counted only where ownership is settled: in the answer to our apply, or an intact object.
 */
function additionsIn(
  object: PreparedObject,
  settled: JsonObject | undefined,
  { maskKey }: DecideContext,
): readonly FieldDifference[] {
  return settled === undefined ? [] : addedFields(settled, { ...object, maskKey });
}

function addition(object: PreparedObject, fields: readonly FieldDifference[]): Decision['drift'] & object {
  // Our next apply leaves them in place, so there is nothing to be corrected.
  return found(object, {
    kind: 'changed',
    fields,
    action: object.drift === 'ignore' ? 'ignored' : 'reported',
  });
}

const ownershipLost = 'the values agree, but others have taken over fields of ours';

/** Drift that is not corrected and was put right by others: nothing departs any more, though the fields are not ours. */
function leaveOwnership(object: PreparedObject, additions: readonly FieldDifference[]): Decision {
  const { ref, origin } = object;
  return {
    outcome: { settled: { action: 'unchanged', ref, origin, fields: [], reason: ownershipLost } },
    ...(additions.length === 0 ? {} : { drift: addition(object, additions) }),
  };
}

function decideDrift(
  object: PreparedObject,
  { live, merged }: Present,
  options: {
    readonly kind: DriftKind;
    readonly context: DecideContext;
    readonly additions: readonly FieldDifference[];
  },
): Decision {
  const { kind, context, additions } = options;
  const fields =
    merged === undefined ? [] : fieldDifferences(live, merged, { ...object, maskKey: context.maskKey });
  const valuesAgree = kind === 'changed' && merged !== undefined && fields.length === 0;
  if (valuesAgree && object.drift !== 'correct') return leaveOwnership(object, additions);
  const drift = found(object, {
    kind,
    fields: [...fields, ...additions],
    ...(valuesAgree ? { reason: ownershipLost } : {}),
  });
  if (object.drift !== 'correct') return { ...leaveDrift(object, fields), drift };
  return { ...write({ action: 'configure', object, live, drift: kind }), drift };
}
