import { apply } from 'json-merge-patch';

import type { JsonObject } from '../../model/json.ts';
import { mapKeys } from './safe-keys.ts';

/** Keys at which json-merge-patch stops or throws. They are legal in a ConfigMap or a schema, so they are renamed on the way. */
const troublesome = new Set(['__proto__', 'constructor', 'prototype', 'hasOwnProperty']);
const mark = '\u0000';

/**
 * Applies a merge patch: null removes a key, maps merge, everything else replaces. Neither argument is changed.
 * Source: RFC 7396.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  // The package's types say that the result is like the patch; for maps that is so.
  return restore(apply(disguise(target), disguise(patch)));
}

function disguise(value: JsonObject): JsonObject {
  return mapKeys(value, (key) => (troublesome.has(key) || key.startsWith(mark) ? mark + key : key));
}

function restore(value: JsonObject): JsonObject {
  return mapKeys(value, (key) => (key.startsWith(mark) ? key.slice(mark.length) : key));
}
