import { createHash } from 'node:crypto';

import { fieldManager } from './apply-set.ts';
import type { FieldManager } from './field.ts';
import {
  arrayAt,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  type JsonValue,
  objectAt,
  stringAt,
  valueAt,
} from './json.ts';

/** One entry of metadata.managedFields with its field set in the FieldsV1 form ('f:', 'k:', 'v:' keys). */
export interface ManagedFieldsEntry extends FieldManager {
  readonly fields: JsonObject;
}

/** The entries of an object's metadata.managedFields; entries without a manager (as `[{}]` leaves) are left out. */
export function managedFieldsOf(object: unknown): ManagedFieldsEntry[] {
  return arrayAt(object, 'metadata', 'managedFields').flatMap((entry) => {
    const manager = stringAt(entry, 'manager');
    if (manager === undefined) return [];
    const subresource = stringAt(entry, 'subresource');
    const time = stringAt(entry, 'time');
    return [
      {
        manager,
        operation: stringAt(entry, 'operation') === 'Apply' ? ('Apply' as const) : ('Update' as const),
        fields: objectAt(entry, 'fieldsV1'),
        ...(subresource === undefined ? {} : { subresource }),
        ...(time === undefined ? {} : { time }),
      },
    ];
  });
}

/** Our own Apply entry, or undefined when somebody removed it. */
export function ownEntry(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry | undefined {
  return entries.find(
    (entry) =>
      entry.manager === fieldManager && entry.operation === 'Apply' && entry.subresource === undefined,
  );
}

/**
 * A fingerprint of what we own in an object and when we last wrote it; '' when our entry is gone. When anyone else
 * changes or deletes a field of ours, our entry loses its path; when anyone applies in our name, its time moves.
 * Either way the fingerprint differs from the one that our own apply answered with.
 */
export function ownershipOf(object: unknown): string {
  const own = ownEntry(managedFieldsOf(object));
  return own === undefined ? '' : fingerprint([own.time ?? '', own.fields]);
}

/** Managers whose additions beside ours are the work of a person or script, not of a controller doing its job. */
function isPeoplesTool(manager: string): boolean {
  return (
    manager.startsWith('kubectl') ||
    ['k9s', 'Lens', 'lens', 'OpenLens', 'Mozilla', 'curl', 'octant', 'headlamp'].includes(manager)
  );
}

/** The entries of people's tools other than ours that claim something beside the status. */
export function peoplesEntries(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  return entries.filter((entry) => entry.subresource !== 'status' && isPeoplesTool(entry.manager));
}

/** A fingerprint of the fields that people's tools set in an object of ours; '' when there are none. */
export function additionsOf(object: unknown): string {
  const entries = peoplesEntries(managedFieldsOf(object));
  return entries.length === 0 ? '' : fingerprint(entries.map((entry) => [entry.manager, entry.fields]));
}

function fingerprint(value: JsonValue): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}

/** Whether a field set claims a path; a claim on an atomic ancestor covers all below it. */
export function claims(fields: JsonObject, path: readonly PathElement[]): boolean {
  let current: JsonValue = fields;
  for (const [depth, element] of path.entries()) {
    if (!isJsonObject(current)) return false;
    // An empty set below the root is a leaf: the manager owns the value as a whole.
    if (depth > 0 && Object.keys(current).length === 0) return true;
    const key: string | undefined = keyOfElement(current, element);
    if (key === undefined) return false;
    current = current[key] ?? {};
  }
  return true;
}

/** One step of a path into an object: a key of a map, or an item of a list by index, keyed fields or value. */
export type PathElement =
  { readonly field: string } | { readonly index: number; readonly item: JsonValue | undefined };

function keyOfElement(set: JsonObject, element: PathElement): string | undefined {
  if ('field' in element) return Object.hasOwn(set, `f:${element.field}`) ? `f:${element.field}` : undefined;
  return Object.keys(set).find((key) => {
    if (key.startsWith('k:')) return matchesListKey(parsed(key.slice(2)), element.item);
    // An item that is not known equals no value, a broken one least of all.
    if (key.startsWith('v:'))
      return element.item !== undefined && jsonEqual(parsed(key.slice(2)), element.item);
    return key === `i:${element.index}`;
  });
}

/** What follows 'k:' or 'v:'; undefined where it is no JSON, which then matches no item. */
function parsed(text: string): JsonValue | undefined {
  try {
    // JSON text parses to a JSON value.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function matchesListKey(key: JsonValue | undefined, item: JsonValue | undefined): boolean {
  return (
    isJsonObject(key) &&
    isJsonObject(item) &&
    Object.entries(key).every(([name, value]) => jsonEqual(valueAt(item, name), value))
  );
}

/** The element and value that a key of a field set stands for in an object; undefined where it has no such. */
export function stepInto(
  object: JsonValue | undefined,
  key: string,
): { readonly element: PathElement; readonly value: JsonValue } | undefined {
  if (key.startsWith('f:')) {
    const field = key.slice(2);
    const value = valueAt(object, field);
    return value === undefined ? undefined : { element: { field }, value };
  }
  if (!Array.isArray(object)) return undefined;
  const index = object.findIndex((item, at) => claims({ [key]: {} }, [{ index: at, item }]));
  const value = object[index];
  return value === undefined ? undefined : { element: { index, item: value }, value };
}
