import { partOfLabel } from '../../model/apply-set.ts';
import { type JsonObject, objectAt, stringAt } from '../../model/json.ts';
import type { PreparedObject } from '../../model/plan.ts';
import { fieldDifferences } from '../field-differences.ts';
import { holdId } from '../hold-id.ts';
import { type DecideContext, type Decision, type Present, write } from './decision.ts';

/**
 * Decides about an object that exists and that no tool owns: it is taken over at once where that changes nothing in
 * it, else only when its manifest or a person says so.
 */
export function decideAdoption(
  object: PreparedObject,
  { live, merged }: Present,
  context: DecideContext,
): Decision {
  const { ref, origin } = object;
  const fields =
    merged === undefined
      ? undefined
      : fieldDifferences(live, withoutOurLabel(merged), { ...object, maskKey: context.maskKey });
  // An approval covers what was shown: this object, this wish and these fields.
  const id = holdId([
    context.cluster,
    'adopt',
    object.key,
    stringAt(live, 'metadata', 'uid') ?? '',
    object.hash,
    ...(fields ?? []).map(({ path }) => path).sort(),
  ]);
  if (object.adopt || fields?.length === 0 || context.isApproved(id, [])) {
    return write({
      action: 'configure',
      object,
      live,
      reason: 'adopted: it existed and belonged to nobody',
    });
  }
  const reason = 'it exists, belongs to nobody and differs from Git; taking it over changes the fields shown';
  return { outcome: { settled: { action: 'held', ref, origin, fields: fields ?? [], reason, holdId: id } } };
}

/** Our label on it is what taking over means; it is no difference. */
function withoutOurLabel(merged: JsonObject): JsonObject {
  const { labels: _labels, ...metadata } = objectAt(merged, 'metadata');
  const { [partOfLabel]: _ours, ...labels } = objectAt(merged, 'metadata', 'labels');
  return { ...merged, metadata: Object.keys(labels).length === 0 ? metadata : { ...metadata, labels } };
}
