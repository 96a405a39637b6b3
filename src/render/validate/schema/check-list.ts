import { isJsonObject, type JsonValue, objectAt } from '../../../model/json.ts';
import type { CheckContext } from './check-scalar.ts';
import type { Schema } from './kubernetes-schemas.ts';
import { textsAt } from './texts-at.ts';
import { type FieldPath, type Violation, violationAt } from './violation.ts';

interface ListPlace {
  readonly path: FieldPath;
  readonly context: CheckContext;
  readonly checkItem: (
    item: JsonValue,
    schema: Schema,
    place: { readonly path: FieldPath; readonly context: CheckContext },
  ) => Violation[];
}

/** Everything in a list that its schema does not allow: its items, its length, and items that there may be one of. */
export function checkList(list: readonly JsonValue[], schema: Schema, place: ListPlace): Violation[] {
  const { path, context, checkItem } = place;
  const { items } = schema;
  return [
    ...(isJsonObject(items)
      ? list.flatMap((item, index) => checkItem(item, items, { path: [...path, index], context }))
      : []),
    ...faultsOfLength(list.length, schema).map((message) => violationAt(path, message)),
    ...checkKeys(list, schema, place),
  ];
}

function faultsOfLength(length: number, { minItems, maxItems }: Schema): string[] {
  return [
    ...(typeof minItems === 'number' && length < minItems
      ? [`Invalid value: should have at least ${minItems} items`]
      : []),
    ...(typeof maxItems === 'number' && length > maxItems
      ? [`Too many: ${length}: must have at most ${maxItems} items`]
      : []),
  ];
}

/** In a list that is a map, or a set, each item must be told from the others. Source: KEP-555, merge strategies. */
function checkKeys(list: readonly JsonValue[], schema: Schema, { path, context }: ListPlace): Violation[] {
  const type = schema['x-kubernetes-list-type'];
  const keys = textsAt(schema, 'x-kubernetes-list-map-keys');
  if (type !== 'set' && (type !== 'map' || keys.length === 0)) return [];
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    if (item === null)
      return [violationAt([...path, index], `Invalid value: null: an item must be told from the others`)];
    if (type === 'map' && !isJsonObject(item)) return [];
    const missing = type === 'map' ? missingKeys(item, keys, schema) : [];
    if (missing.length > 0) return missing.map((key) => violationAt([...path, index, key], 'Required value'));
    if (type === 'map' && keys.some((key) => isNameless(item, key, schema))) return [];
    const identity = type === 'set' ? context.show(item) : identityOf(item, keys, schema);
    const key = type === 'set' ? JSON.stringify(item) : identity;
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [violationAt([...path, index], `Duplicate value: ${identity}`)];
  });
}

function missingKeys(item: JsonValue, keys: readonly string[], schema: Schema): string[] {
  return keys.filter(
    (key) => isJsonObject(item) && !Object.hasOwn(item, key) && defaultOf(key, schema) === undefined,
  );
}

/** A key that is missing and has a default of nothing is missing; that is told elsewhere where it matters. */
function isNameless(item: JsonValue, key: string, schema: Schema): boolean {
  const found = isJsonObject(item) ? item[key] : undefined;
  return found === undefined && ['', 0].includes(defaultOf(key, schema) as string | number);
}

/** 'containerPort=80, protocol="TCP"' */
function identityOf(item: JsonValue, keys: readonly string[], schema: Schema): string {
  return keys
    .map((key) => {
      const value = isJsonObject(item) && Object.hasOwn(item, key) ? item[key] : defaultOf(key, schema);
      return `${key}=${JSON.stringify(value)}`;
    })
    .join(', ');
}

function defaultOf(key: string, schema: Schema): JsonValue | undefined {
  return (
    objectAt(schema, 'x-fleetwright-key-defaults')[key] ??
    objectAt(schema, 'items', 'properties', key)['default']
  );
}
