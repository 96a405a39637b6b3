import { createHmac } from 'node:crypto';

import { isJsonObject, type JsonValue } from '../../model/json.ts';
import { groupOf, type ObjectRef } from '../../model/object-ref.ts';
import type { ValueDifference } from './compare.ts';

/**
 * Replaces every value of a Secret's data by a short keyed hash: equal values look equal, nothing can be read back.
 * Done where the difference is made, so that no report, log or history ever holds a value.
 */
export function maskSecrets(
  ref: ObjectRef,
  differences: readonly ValueDifference[],
  key: string,
): readonly ValueDifference[] {
  if (ref.kind !== 'Secret' || groupOf(ref.apiVersion) !== '') return differences;
  return differences.map((difference) => {
    const [root] = difference.path;
    const holdsData =
      root !== undefined && 'field' in root && (root.field === 'data' || root.field === 'stringData');
    return holdsData
      ? { ...difference, live: mask(difference.live, key), merged: mask(difference.merged, key) }
      : difference;
  });
}

function mask(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (value === undefined) return undefined;
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mask(item, key) ?? null]));
  return `(hidden, ${createHmac('sha256', key).update(JSON.stringify(value)).digest('hex').slice(0, 8)})`;
}
