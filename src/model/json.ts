/** A JSON value, as the API server stores it. Numbers beyond 2^53 never get here: parsing refuses them. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** True for a plain JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value under a chain of keys, or undefined as soon as one is missing. */
export function valueAt(value: unknown, ...keys: readonly string[]): JsonValue | undefined {
  let current: unknown = value;
  for (const key of keys) {
    if (!isJsonObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  // A walk through a JSON value ends in a JSON value; the parameter is unknown for callers' convenience.
  return current as JsonValue | undefined;
}

/** The string under a chain of keys; undefined when it is missing or is not a string. */
export function stringAt(value: unknown, ...keys: readonly string[]): string | undefined {
  const found = valueAt(value, ...keys);
  return typeof found === 'string' ? found : undefined;
}

/** The object under a chain of keys; an empty one when it is missing or is not an object. */
export function objectAt(value: unknown, ...keys: readonly string[]): JsonObject {
  const found = valueAt(value, ...keys);
  return isJsonObject(found) ? found : {};
}

/** The array under a chain of keys; an empty one when it is missing or is not an array. */
export function arrayAt(value: unknown, ...keys: readonly string[]): readonly JsonValue[] {
  const found = valueAt(value, ...keys);
  return Array.isArray(found) ? found : [];
}

/** Deep equality of JSON values; the order of keys does not count, that of items does. */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
  );
}
