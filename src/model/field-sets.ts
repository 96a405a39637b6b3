import { isJsonObject, type JsonObject } from './json.ts';

/**
 * The claims of one field set that another does not make, both in the FieldsV1 form. A claim that a map or list is
 * there at all goes with the last claim in it.
 */
export function fieldsBeside(set: JsonObject, other: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, below] of Object.entries(set)) {
    const counterpart = Object.hasOwn(other, key) ? other[key] : undefined;
    if (!isJsonObject(counterpart) || !isJsonObject(below)) {
      kept[key] = below;
      continue;
    }
    const rest = fieldsBeside(below, counterpart);
    if (Object.keys(rest).some((name) => name !== '.')) kept[key] = rest;
  }
  return kept;
}

/** Whether a field set claims nothing but that maps or lists are there. */
export function isBare(set: JsonObject): boolean {
  return Object.keys(set).every((key) => key === '.');
}
