import {
  arrayAt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  stringAt,
} from '../../src/model/json.ts';
import { compareText } from '../../src/model/object-ref.ts';
import { textsAt } from '../../src/render/validate/schema/texts-at.ts';

/** What of a schema says which values are right. Everything else is for readers, or for patches that nobody sends. */
const kept = [
  'type',
  'format',
  'enum',
  'required',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
] as const;

const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const intOrString = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
const rawExtension = 'io.k8s.apimachinery.pkg.runtime.RawExtension';

/**
 * The definitions that the kinds need, with short names and without descriptions, defaults and anything else that
 * tells no right value from a wrong one. `status` is left open: it is never sent.
 */
export function compactDefinitions(
  all: Readonly<Record<string, JsonObject>>,
  roots: ReadonlySet<string>,
): Record<string, JsonObject> {
  const compacted = new Map<string, JsonObject>();
  const pending = [...roots];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (compacted.has(name)) continue;
    const schema = compactSchema(all[name] ?? {}, all);
    if (roots.has(name)) openStatus(schema);
    compacted.set(name, schema);
    pending.push(...referencesIn(schema));
  }
  const names = shortNames([...compacted.keys()]);
  const rename = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(rename);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) =>
        key === '$ref' && typeof entry === 'string' ? [key, names.get(entry) ?? entry] : [key, rename(entry)],
      ),
    );
  };
  return Object.fromEntries(
    [...compacted]
      .map(([name, schema]) => [names.get(name) ?? name, rename(schema) as JsonObject] as const)
      .sort(([a], [b]) => compareText(a, b)),
  );
}

/** 'apps.v1.Deployment' for 'io.k8s.api.apps.v1.Deployment'. @throws Error when two names would become one. */
export function shortNames(names: readonly string[]): Map<string, string> {
  const short = new Map(names.map((name) => [name, name.split('.').slice(-3).join('.')]));
  if (new Set(short.values()).size !== names.length) throw new Error('two definitions have one short name');
  return short;
}

function compactSchema(schema: JsonObject, all: Readonly<Record<string, JsonObject>>): JsonObject {
  const target = referenceOf(schema);
  if (target !== undefined) return scalarFor(target) ?? { $ref: target };
  const result: JsonObject = {};
  for (const key of kept) if (schema[key] !== undefined) result[key] = schema[key];
  const { properties, items, additionalProperties } = schema;
  if (isJsonObject(properties)) {
    result['properties'] = Object.fromEntries(
      Object.entries(properties).map(([key, entry]) => [key, compactSchema(entry as JsonObject, all)]),
    );
  }
  if (isJsonObject(items)) result['items'] = compactSchema(items, all);
  if (isJsonObject(additionalProperties))
    result['additionalProperties'] = compactSchema(additionalProperties, all);
  if (result['type'] === 'object' && properties === undefined && additionalProperties === undefined)
    result['x-kubernetes-preserve-unknown-fields'] = true;
  return markDefaultedKeys(result, schema, all);
}

/** A key of a list's items may be missing where it has a default. */
function markDefaultedKeys(
  result: JsonObject,
  schema: JsonObject,
  all: Readonly<Record<string, JsonObject>>,
): JsonObject {
  const keys = textsAt(result, 'x-kubernetes-list-map-keys');
  if (keys.length === 0) return result;
  const items = objectAt(schema, 'items');
  const fields = objectAt(all[referenceOf(items) ?? ''] ?? items, 'properties');
  const defaults = keys.flatMap((key) => {
    const value = objectAt(fields, key)['default'];
    return value === undefined ? [] : [[key, value] as const];
  });
  return defaults.length === 0
    ? result
    : { ...result, 'x-fleetwright-key-defaults': Object.fromEntries(defaults) };
}

function scalarFor(target: string): JsonObject | undefined {
  if (target === quantity) return { format: 'quantity' };
  if (target === intOrString) return { 'x-kubernetes-int-or-string': true };
  if (target === rawExtension) return { 'x-kubernetes-preserve-unknown-fields': true };
  return undefined;
}

/** The name that a schema refers to, also through the `allOf` with which a server adds a default to a reference. */
function referenceOf(schema: JsonObject): string | undefined {
  const reference = stringAt(schema, '$ref') ?? stringAt(arrayAt(schema, 'allOf')[0], '$ref');
  return reference?.replace('#/components/schemas/', '');
}

function openStatus(schema: JsonObject): void {
  const properties = objectAt(schema, 'properties');
  if (properties['status'] !== undefined)
    properties['status'] = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
}

function referencesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    key === '$ref' && typeof entry === 'string' ? [entry] : referencesIn(entry),
  );
}
