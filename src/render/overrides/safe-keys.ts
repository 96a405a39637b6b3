import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';

/** A deep copy with other keys. Parsing bounds the depth. */
export function mapKeys(value: JsonObject, rename: (key: string) => string): JsonObject;
export function mapKeys(value: JsonValue, rename: (key: string) => string): JsonValue;
export function mapKeys(value: JsonValue, rename: (key: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => mapKeys(item, rename));
  if (!isJsonObject(value)) return value;
  // fromEntries makes '__proto__' a key of the object's own.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rename(key), mapKeys(item, rename)]));
}
