import type { JsonObject } from '../../model/json.ts';

/** One item of `each`: what a generator is rendered for once. */
export interface Item {
  /** `item` in templates and conditions. */
  readonly value: JsonObject;
  /** The keys that its author gave it, without what is added of folders and files; they become parameters. */
  readonly own: JsonObject;
  /** Where it comes from, for messages: 'tenants/blue', 'item 2 of the list'. */
  readonly label: string;
}

/** A copy of the keys of both. Keys that both have are not settled here. */
export function joinMaps(a: JsonObject, b: JsonObject): JsonObject {
  // fromEntries makes '__proto__' a key of the object's own.
  return Object.fromEntries([...Object.entries(a), ...Object.entries(b)]);
}
