import type { PatchedField } from '../../model/desired.ts';
import type { Origin } from '../../model/origin.ts';
import type { FieldEdit, FieldPath } from './field-edit.ts';

/**
 * What is known of an object's patched fields after one more edit: each place has the last edit that wrote it, and
 * places in lists move with their items.
 */
export function afterEdit(
  fields: readonly PatchedField[],
  { kind, path }: FieldEdit,
  origin: Origin,
): readonly PatchedField[] {
  const last = path.at(-1);
  const isItem = typeof last === 'number';
  if (kind === 'insert' && isItem) return [...moved(fields, path, 1), { path, origin }];
  const others = fields.filter((field) => !startsWith(field.path, path));
  // Items behind a removed one close up, so that its place is another's now.
  if (kind === 'remove' && isItem) return moved(others, path, -1);
  return [...others, { path, origin }];
}

/** The fields with those in items at and behind a place of a list moved. */
function moved(fields: readonly PatchedField[], place: FieldPath, by: 1 | -1): PatchedField[] {
  const list = place.slice(0, -1);
  const from = Number(place.at(-1));
  return fields.map((field) => {
    const index = field.path[list.length];
    if (!startsWith(field.path, list) || typeof index !== 'number' || index < from) return field;
    return { ...field, path: [...list, index + by, ...field.path.slice(list.length + 1)] };
  });
}

/** The last patch that wrote a field, or a map or list that it is in. */
export function patchOf(fields: readonly PatchedField[], path: FieldPath): PatchedField | undefined {
  return fields.findLast((field) => startsWith(path, field.path));
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  return start.length <= path.length && start.every((step, index) => path[index] === step);
}
