import { type FieldPattern, stepDown } from './field-pattern.ts';
import { isJsonObject, type JsonObject, jsonEqual, type JsonValue } from './json.ts';
import { managedFieldsOf, ownEntry, stepInto } from './managed-fields.ts';
import type { PreparedObject } from './plan.ts';

/** Fields that the manifest leaves to others once the object is there; none unless it names some. */
export function leftFieldsOf({ leaves }: Pick<PreparedObject, 'leaves'>): readonly FieldPattern[] {
  return leaves ?? [];
}

/**
 * What is applied over an object that exists: Git's wish without the fields that are left to others. As long as these
 * are still among ours they are sent as they are live, since the server takes away what its only owner drops.
 */
export function bodyOver(object: Pick<PreparedObject, 'body' | 'leaves'>, live: JsonObject): JsonObject {
  const patterns = leftFieldsOf(object);
  if (patterns.length === 0) return object.body;
  const own = ownEntry(managedFieldsOf(live))?.fields;
  const isHeld = own !== undefined && !jsonEqual(own, withoutClaims(own, live, patterns));
  return isHeld ? withLive(object.body, live, patterns) : bodyWithout(object);
}

/** Git's wish without the fields that are left to others. */
export function bodyWithout(object: Pick<PreparedObject, 'body' | 'leaves'>): JsonObject {
  const rest = withoutFields(object.body, leftFieldsOf(object));
  return isJsonObject(rest) ? rest : object.body;
}

/** A field set without the claims on some fields of the object; a map of which nothing else is claimed is let go. */
export function withoutClaims(
  set: JsonObject,
  object: JsonValue | undefined,
  patterns: readonly FieldPattern[],
): JsonObject {
  const kept: JsonObject = {};
  for (const [key, below] of Object.entries(set)) {
    const next = key === '.' ? undefined : stepInto(object, key);
    const left = next === undefined ? [] : stepDown(patterns, next.element);
    if (left.some((pattern) => pattern.length === 0)) continue;
    if (next === undefined || left.length === 0 || !isJsonObject(below)) {
      kept[key] = below;
      continue;
    }
    const rest = withoutClaims(below, next.value, left);
    const isEmptied = Object.keys(rest).every((name) => name === '.') && !jsonEqual(rest, below);
    if (!isEmptied) kept[key] = rest;
  }
  return kept;
}

/**
 * A field that the server only takes as a whole, of which a part would have to be left: the first such path, as a
 * person reads it. Undefined where there is none.
 */
export function indivisible(
  set: JsonObject,
  wish: JsonValue,
  patterns: readonly FieldPattern[],
): string | undefined {
  for (const [key, below] of Object.entries(set)) {
    const next = stepInto(wish, key);
    if (next === undefined || !isJsonObject(below)) continue;
    const left = stepDown(patterns, next.element);
    if (left.length === 0 || left.some((pattern) => pattern.length === 0)) continue;
    const name = 'field' in next.element ? `.${next.element.field}` : '[]';
    if (Object.keys(below).length === 0) {
      if (!jsonEqual(withoutFields(next.value, left), next.value)) return name;
      continue;
    }
    const found = indivisible(below, next.value, left);
    if (found !== undefined) return name + found;
  }
  return undefined;
}

function withoutFields(value: JsonValue, patterns: readonly FieldPattern[]): JsonValue | undefined {
  if (patterns.some((pattern) => pattern.length === 0)) return undefined;
  if (patterns.length === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => withoutFields(item, stepDown(patterns, { index, item })) ?? []);
  }
  const entries = Object.entries(value).flatMap(([field, below]) => {
    const rest = withoutFields(below, stepDown(patterns, { field }));
    const isEmptied = isJsonObject(rest) && Object.keys(rest).length === 0 && !jsonEqual(rest, below);
    return rest === undefined || isEmptied ? [] : [[field, rest] as const];
  });
  return Object.fromEntries(entries);
}

/** The wish with the live values in those of the fields that it names. */
function withLive(wish: JsonObject, live: JsonObject, patterns: readonly FieldPattern[]): JsonObject {
  const merged = merge(wish, live, patterns);
  return isJsonObject(merged) ? merged : wish;
}

function merge(
  wish: JsonValue,
  live: JsonValue | undefined,
  patterns: readonly FieldPattern[],
): JsonValue | undefined {
  if (patterns.some((pattern) => pattern.length === 0)) return live;
  if (patterns.length === 0 || typeof wish !== 'object' || wish === null) return wish;
  if (Array.isArray(wish)) {
    return wish.flatMap((item, index) => {
      const left = stepDown(patterns, { index, item });
      return merge(item, left.length === 0 ? undefined : counterpart(item, live), left) ?? [];
    });
  }
  return Object.fromEntries(
    Object.entries(wish).flatMap(([field, below]) => {
      const found = isJsonObject(live) && Object.hasOwn(live, field) ? live[field] : undefined;
      const value = merge(below, found, stepDown(patterns, { field }));
      return value === undefined ? [] : [[field, value] as const];
    }),
  );
}

/** The item of the live list that has the same name, or whatever else names both. */
function counterpart(item: JsonValue, live: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(live) || !isJsonObject(item)) return undefined;
  const key = ['name', 'containerPort', 'port', 'mountPath', 'key', 'type'].find((name) =>
    Object.hasOwn(item, name),
  );
  if (key === undefined) return undefined;
  return live.find((candidate) => isJsonObject(candidate) && jsonEqual(candidate[key], item[key]));
}
