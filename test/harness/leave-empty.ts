import { isJsonObject, type JsonValue } from '../../src/model/json.ts';

export type Path = readonly (string | number)[];

/** Where values stand in a value, itself first. */
export function pathsOf(value: JsonValue, at: Path = []): Path[] {
  const entries: [string | number, JsonValue][] = Array.isArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return [at, ...entries.flatMap(([key, item]) => pathsOf(item, [...at, key]))];
}

/** A copy with another value at a path. */
export function withValue(value: JsonValue, [key, ...rest]: Path, replacement: JsonValue): JsonValue {
  if (key === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? withValue(item, rest, replacement) : item));
  return isJsonObject(value) ? { ...value, [key]: withValue(value[key] ?? null, rest, replacement) } : value;
}
