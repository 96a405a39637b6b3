import type { FieldDifference, FieldManager } from '../model/field.ts';
import { type FieldPattern, isCovered } from '../model/field-pattern.ts';
import type { JsonObject } from '../model/json.ts';
import {
  claims,
  managedFieldsOf,
  type ManagedFieldsEntry,
  ownEntry,
  type PathElement,
  peoplesEntries,
} from '../model/managed-fields.ts';
import type { ObjectRef } from '../model/object-ref.ts';
import { compareObjects, type ValueDifference } from './fields/compare.ts';
import { formatPath } from './fields/field-path.ts';
import { leafPaths } from './fields/leaf-paths.ts';
import { maskSecrets } from './fields/mask-secrets.ts';

export interface DifferenceOptions {
  readonly ref: ObjectRef;
  /** Key of the hashes that stand in for the values of Secrets. */
  readonly maskKey: string;
  /** Fields that are left to others: whatever they are, they depart from nothing. */
  readonly leaves?: readonly FieldPattern[] | undefined;
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
  const differences = compareObjects(live, merged).filter(({ path }) => !isLeft(path, options));
  return maskSecrets(options.ref, differences, options.maskKey).map((difference) =>
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
      .filter((leaf) => !claims(own, leaf.path) && !isLeft(leaf.path, options))
      .map((leaf) => ({ ...leaf, merged: undefined, entry }));
  });
  return maskSecrets(options.ref, added, options.maskKey).map((difference, index) => {
    const entry = added[index]?.entry;
    return toField(difference, entry === undefined ? [] : [withoutFields(entry)]);
  });
}

function isLeft(path: readonly PathElement[], { leaves }: DifferenceOptions): boolean {
  return leaves !== undefined && isCovered(leaves, path);
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
