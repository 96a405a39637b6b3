import { type FieldDifference, type FieldManager } from '../model/field.ts';
import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '../model/json.ts';
import {
  claims,
  managedFieldsOf,
  type ManagedFieldsEntry,
  ownEntry,
  type PathElement,
  peoplesEntries,
} from '../model/managed-fields.ts';
import { type ObjectRef } from '../model/object-ref.ts';
import { compareObjects, type ValueDifference } from './fields/compare.ts';
import { formatPath } from './fields/field-path.ts';
import { maskSecrets } from './fields/mask-secrets.ts';

export interface DifferenceOptions {
  readonly ref: ObjectRef;
  /** Key of the hashes that stand in for the values of Secrets. */
  readonly maskKey: string;
}

/**
 * How a live object departs from what our apply makes of it, field by field, with who wrote each field last.
 * @param live the object before; its managedFields tell who.
 * @param merged the answer to our apply, or to its dry-run.
 */
export function fieldDifferences(
  live: JsonObject,
  merged: JsonObject,
  options: DifferenceOptions,
): FieldDifference[] {
  const entries = managedFieldsOf(live);
  return maskSecrets(options.ref, compareObjects(live, merged), options.maskKey).map((difference) =>
    toField(difference, changedBy(difference.path, entries)),
  );
}

/**
 * Fields that people's tools put beside ours. Git says nothing about them, so they are left in place,
 * but a report lists them: the next apply will not remove them either.
 */
export function addedFields(live: JsonObject, options: DifferenceOptions): FieldDifference[] {
  const entries = managedFieldsOf(live);
  const own = ownEntry(entries)?.fields ?? {};
  const added = peoplesEntries(entries).flatMap((entry) => {
    const paths = leafPaths(entry.fields, live);
    return paths
      .filter((leaf) => !claims(own, leaf.path))
      .map((leaf) => ({ ...leaf, merged: undefined, entry }));
  });
  return maskSecrets(options.ref, added, options.maskKey).map((difference, index) => {
    const entry = added[index]?.entry;
    return toField(difference, entry === undefined ? [] : [withoutFields(entry)]);
  });
}

function toField(difference: ValueDifference, managers: readonly FieldManager[]): FieldDifference {
  return {
    path: formatPath(difference.path),
    ...(difference.merged === undefined ? {} : { desired: difference.merged }),
    ...(difference.live === undefined ? {} : { live: difference.live }),
    changedBy: managers,
  };
}

function changedBy(path: readonly PathElement[], entries: readonly ManagedFieldsEntry[]): FieldManager[] {
  const own = ownEntry(entries);
  const others = entries.filter((entry) => entry !== own && entry.subresource !== 'status');
  const claimants = others.filter((entry) => claims(entry.fields, path));
  // A removed field has no owner left. Whoever wrote the object after us is the one who can have removed it.
  const found =
    claimants.length > 0 ? claimants : others.filter((entry) => (entry.time ?? '') >= (own?.time ?? ''));
  return found.map(withoutFields);
}

function withoutFields({ fields: _fields, ...manager }: ManagedFieldsEntry): FieldManager {
  return manager;
}

/** Keys of annotations that tools write for themselves when they touch an object. */
const toolAnnotations = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'kubectl.kubernetes.io/restartedAt',
]);

/** The leaves of a field set with their values in the object; what the object no longer has is left out. */
function leafPaths(
  set: JsonObject,
  object: JsonObject | JsonValue[],
): { path: PathElement[]; live: JsonValue }[] {
  return Object.entries(set).flatMap(([key, below]) => {
    if (key === '.' || !isJsonObject(below)) return [];
    const step = stepInto(object, key);
    if (step === undefined || ('field' in step.element && toolAnnotations.has(step.element.field))) return [];
    const isLeaf = Object.keys(below).length === 0;
    if (isLeaf || typeof step.value !== 'object' || step.value === null) {
      return [{ path: [step.element], live: step.value }];
    }
    // '.' alone claims that a map or list is there, not what others put into it.
    if (Object.keys(below).every((name) => name === '.')) {
      return isEmpty(step.value) ? [{ path: [step.element], live: step.value }] : [];
    }
    return leafPaths(below, step.value).map((leaf) => ({ ...leaf, path: [step.element, ...leaf.path] }));
  });
}

function stepInto(
  object: JsonObject | JsonValue[],
  key: string,
): { element: PathElement; value: JsonValue } | undefined {
  if (key.startsWith('f:') && isJsonObject(object)) {
    const field = key.slice(2);
    const value = valueAt(object, field);
    return value === undefined ? undefined : { element: { field }, value };
  }
  if (!Array.isArray(object)) return undefined;
  const index = object.findIndex((item, position) => claims({ [key]: {} }, [{ index: position, item }]));
  const value = object[index];
  return value === undefined ? undefined : { element: { index, item: value }, value };
}

function isEmpty(value: JsonObject | JsonValue[]): boolean {
  return Object.keys(value).length === 0;
}
