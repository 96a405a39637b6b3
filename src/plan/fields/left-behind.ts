import { isCovered } from '../../model/field-pattern.ts';
import { fieldsBeside } from '../../model/field-sets.ts';
import type { JsonObject } from '../../model/json.ts';
import { leftFieldsOf } from '../../model/left-fields.ts';
import { claims, managedFieldsOf, ownEntry } from '../../model/managed-fields.ts';
import type { PreparedObject } from '../../model/plan.ts';
import { formatPath } from './field-path.ts';
import { leafPaths } from './leaf-paths.ts';

/**
 * Fields that were ours and that Git has dropped, but that stay, since others own them, too. Said for people;
 * undefined where there are none.
 * @param before the object before our apply.
 * @param after the answer to our apply, or to its dry-run.
 */
export function leftBehind(
  before: JsonObject,
  after: JsonObject,
  object: Pick<PreparedObject, 'leaves'>,
): string | undefined {
  const ours = ownEntry(managedFieldsOf(before))?.fields ?? {};
  const entries = managedFieldsOf(after);
  const own = ownEntry(entries);
  const dropped = leafPaths(fieldsBeside(ours, own?.fields ?? {}), after);
  const left = dropped.flatMap(({ path }) => {
    if (isCovered(leftFieldsOf(object), path)) return [];
    const owners = entries.filter((entry) => entry !== own && claims(entry.fields, path));
    const names = [...new Set(owners.map(({ manager }) => manager))].sort();
    return names.length === 0 ? [] : [`${formatPath(path)} (${names.join(', ')})`];
  });
  return left.length === 0
    ? undefined
    : `Git no longer sets these fields, but they stay, since others own them, too: ${left.join(', ')}`;
}
