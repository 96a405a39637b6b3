import { fieldManager, ignoreFieldsAnnotation } from './apply-set.ts';
import { FleetError } from './fleet-error.ts';
import { fieldsBeside, isBare } from './field-sets.ts';
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
  | {
      readonly kind: 'patch';
      readonly operations: readonly JsonObject[];
      /** Fields of ours are let go. */
      readonly lets: boolean;
      /** Managers whose claims on fields of ours end, sorted. */
      readonly takesFrom: readonly string[];
    }
  /** The field that the server only takes as a whole, while the manifest leaves a part of it to others. */
  | { readonly kind: 'indivisible'; readonly path: string };

/**
 * Compares who owns what with who should, and changes no value.
 * Fields that the manifest leaves to others are not ours: to leave them out of an apply would not do, as the server
 * removes what its only owner drops, or lets it fall back to its default.
 * Fields of ours are not also those of whoever applied the object in the old way, before us: what Git drops would stay.
 * Source: k8s.io/client-go util/csaupgrade, which joins the two instead.
 */
export function handOverOf(object: JsonObject, wish: Pick<PreparedObject, 'body' | 'leaves'>): HandOver {
  const entries = arrayAt(object, 'metadata', 'managedFields');
  const own = entries.find(isOurs);
  if (own === undefined) return { kind: 'none' };
  const patterns = leftFieldsOf(wish);
  const claimed = objectAt(own, 'fieldsV1');
  const path = patterns.length === 0 ? undefined : indivisible(claimed, wish.body, patterns);
  if (path !== undefined) return { kind: 'indivisible', path };
  const kept = patterns.length === 0 ? claimed : withoutClaims(claimed, object, patterns);
  const lets = !jsonEqual(kept, claimed);
  const takesFrom = new Set<string>();
  const after = entries.flatMap((entry) => {
    if (!isJsonObject(entry)) return [];
    if (entry === own) return [{ ...entry, fieldsV1: kept }];
    if (!isForerunner(entry)) return [entry];
    const fields = objectAt(entry, 'fieldsV1');
    const rest = fieldsBeside(fields, withLastApplied(kept));
    if (jsonEqual(rest, fields)) return [entry];
    takesFrom.add(stringAt(entry, 'manager') ?? '');
    return isBare(rest) ? [] : [{ ...entry, fieldsV1: rest }];
  });
  if (!lets && takesFrom.size === 0) return { kind: 'none' };
  const operations = [
    ...(takesFrom.size > 0 ? withoutLastApplied(object) : []),
    ...replaceManagedFields(object, after),
  ];
  return { kind: 'patch', operations, lets, takesFrom: [...takesFrom].sort() };
}

/**
 * Who applied an object before server-side apply: kubectl from the client's side, and what the server and kubectl
 * name the owner of what was there before.
 * Source: k8s.io/kubectl pkg/cmd/apply, k8s.io/apimachinery util/managedfields.
 */
const forerunners = new Set(['kubectl-client-side-apply', 'before-first-apply', 'kubectl-last-applied']);

function isForerunner(entry: JsonObject): boolean {
  return forerunners.has(stringAt(entry, 'manager') ?? '') && stringAt(entry, 'subresource') === undefined;
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Our claims with one on the annotation that goes, too. */
function withLastApplied(kept: JsonObject): JsonObject {
  const metadata = objectAt(kept, 'f:metadata');
  const annotations = { ...objectAt(metadata, 'f:annotations'), [`f:${lastApplied}`]: {} };
  return { ...kept, 'f:metadata': { ...metadata, 'f:annotations': annotations } };
}

/** A copy of what was applied the old way: kubectl would take it for its own next time. */
function withoutLastApplied(object: JsonObject): JsonObject[] {
  return stringAt(object, 'metadata', 'annotations', lastApplied) === undefined
    ? []
    : [{ op: 'remove', path: `/metadata/annotations/${lastApplied.replace('/', '~1')}` }];
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
