import { arrayAt, type JsonObject } from '../../src/model/json.ts';

/** The texts in the list under a key. */
export function stringsAt(schema: JsonObject, key: string): string[] {
  return arrayAt(schema, key).filter((item) => typeof item === 'string');
}
