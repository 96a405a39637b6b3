import { arrayAt, type JsonObject } from '../../../model/json.ts';

/** The texts in the list under a chain of keys of a schema, which may hold anything. */
export function textsAt(schema: JsonObject, ...keys: readonly string[]): string[] {
  return arrayAt(schema, ...keys).filter((item) => typeof item === 'string');
}
