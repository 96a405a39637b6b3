import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';

/** Keys and indexes from the object's root. */
export type FieldPath = readonly (string | number)[];

/**
 * What a patch did to one place of an object. insert and, in a list, remove move the items behind it.
 */
export interface FieldEdit {
  readonly kind: 'set' | 'insert' | 'remove';
  readonly path: FieldPath;
}

/** What a merge patch writes out: each value that it sets, and each key that it removes. */
export function editsOfMerge(
  target: JsonValue | undefined,
  patch: JsonObject,
  at: FieldPath = [],
): FieldEdit[] {
  return Object.entries(patch).flatMap(([key, value]): FieldEdit[] => {
    const path = [...at, key];
    const before = isJsonObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
    if (value === null) return [{ kind: 'remove', path }];
    if (!isJsonObject(value)) return [{ kind: 'set', path }];
    if (Object.keys(value).length === 0) return isJsonObject(before) ? [] : [{ kind: 'set', path }];
    return editsOfMerge(before, value, path);
  });
}
