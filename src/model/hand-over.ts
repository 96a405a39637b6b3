import { fieldManager, ignoreFieldsAnnotation } from './apply-set.ts';
import { FleetError } from './fleet-error.ts';
import {
  arrayAt,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  type JsonValue,
  objectAt,
  stringAt,
} from './json.ts';
import { indivisible, leftFieldsOf, withoutClaims } from './left-fields.ts';
import type { PreparedObject } from './plan.ts';

/** What has to become of the ownership of fields that an object's managedFields tell. */
export type HandOver =
  | { readonly kind: 'none' }
  /** To be sent as a JSON patch; refused by the server where the object has changed meanwhile. */
  | { readonly kind: 'patch'; readonly operations: readonly JsonObject[] }
  /** The field that the server only takes as a whole, while the manifest leaves a part of it to others. */
  | { readonly kind: 'indivisible'; readonly path: string };

/**
 * Compares who owns what with who should: fields that the manifest leaves to others are not ours.
 * A claim is let go without touching the value. To leave such a field out of an apply would not do: the server removes
 * what its only owner drops, or lets it fall back to its default.
 */
export function handOverOf(object: JsonObject, wish: Pick<PreparedObject, 'body' | 'leaves'>): HandOver {
  const patterns = leftFieldsOf(wish);
  if (patterns.length === 0) return { kind: 'none' };
  const before = arrayAt(object, 'metadata', 'managedFields');
  const own = before.find(isOurs);
  const claimed = objectAt(own, 'fieldsV1');
  const path = indivisible(claimed, wish.body, patterns);
  if (path !== undefined) return { kind: 'indivisible', path };
  const kept = withoutClaims(claimed, object, patterns);
  if (jsonEqual(kept, claimed)) return { kind: 'none' };
  const after = before.map((entry) =>
    entry === own && isJsonObject(entry) ? { ...entry, fieldsV1: kept } : entry,
  );
  return { kind: 'patch', operations: replaceManagedFields(object, after) };
}

/** The fault of a manifest that leaves a part of an indivisible field to others. */
export function indivisibleFault(path: string): FleetError {
  return new FleetError(
    'ManifestInvalid',
    `${ignoreFieldsAnnotation} names a part of ${path}, which the server takes only as a whole; name ${path}`,
  );
}

function isOurs(entry: JsonValue): boolean {
  return (
    stringAt(entry, 'manager') === fieldManager &&
    stringAt(entry, 'operation') === 'Apply' &&
    stringAt(entry, 'subresource') === undefined
  );
}

/** A resourceVersion in a patch is a precondition: the server answers 409 where it is not the present one. */
function replaceManagedFields(object: JsonObject, entries: JsonValue[]): JsonObject[] {
  const version = stringAt(object, 'metadata', 'resourceVersion') ?? '';
  return [
    { op: 'replace', path: '/metadata/managedFields', value: entries },
    { op: 'replace', path: '/metadata/resourceVersion', value: version },
  ];
}
