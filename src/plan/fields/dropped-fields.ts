import { isCovered } from '../../model/field-pattern.ts';
import { fieldsBeside } from '../../model/field-sets.ts';
import { type JsonObject, jsonEqual, type JsonValue } from '../../model/json.ts';
import { leftFieldsOf } from '../../model/left-fields.ts';
import { claims, managedFieldsOf, ownEntry, type PathElement } from '../../model/managed-fields.ts';
import type { ObjectRef } from '../../model/object-ref.ts';
import type { PreparedObject } from '../../model/plan.ts';
import { formatPath } from './field-path.ts';
import { leafPaths } from './leaf-paths.ts';

/**
 * What becomes of fields that were ours and that Git has dropped, where they do not just go away: they fall back to a
 * default of the server, or stay since others own them, too. Said for people; undefined where there are none.
 * @param before the object before our apply.
 * @param after the answer to our apply, or to its dry-run.
 */
export function droppedFields(
  before: JsonObject,
  after: JsonObject,
  object: Pick<PreparedObject, 'ref' | 'leaves'>,
): string | undefined {
  const ours = ownEntry(managedFieldsOf(before))?.fields ?? {};
  const entries = managedFieldsOf(after);
  const own = ownEntry(entries);
  const dropped = fieldsBeside(ours, own?.fields ?? {});
  const values = new Map(leafPaths(dropped, before).map(({ path, live }) => [formatPath(path), live]));
  const kept: string[] = [];
  const defaulted: string[] = [];
  for (const { path, live } of leafPaths(dropped, after)) {
    if (isCovered(leftFieldsOf(object), path)) continue;
    const name = formatPath(path);
    const owners = ownersOf(
      path,
      entries.filter((entry) => entry !== own),
    );
    if (owners.length > 0) kept.push(`${name} (${owners.join(', ')})`);
    else if (!jsonEqual(values.get(name), live)) defaulted.push(name + textOf(live, object.ref));
  }
  const parts = [
    ...(defaulted.length === 0
      ? []
      : [`Git no longer sets these fields, and they fall back to their defaults: ${defaulted.join(', ')}`]),
    ...(kept.length === 0
      ? []
      : [`Git no longer sets these fields, but they stay, since others own them, too: ${kept.join(', ')}`]),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

function ownersOf(path: readonly PathElement[], entries: ReturnType<typeof managedFieldsOf>): string[] {
  const owners = entries.filter((entry) => claims(entry.fields, path));
  return [...new Set(owners.map(({ manager }) => manager))].sort();
}

/** A default is a short value; what is longer, or may be secret, is in the fields that differ, masked there. */
function textOf(value: JsonValue, { kind }: ObjectRef): string {
  return kind === 'Secret' || (typeof value === 'object' && value !== null) ? '' : ` (${String(value)})`;
}
