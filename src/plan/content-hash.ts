import { createHash } from 'node:crypto';

import { isJsonObject, type JsonObject, type JsonValue } from '../model/json.ts';

const known = new WeakMap<JsonObject, string>();

/**
 * A hash of a manifest's content that does not depend on the order of keys. Manifests are shared between
 * clusters and revisions and never mutated, so each is hashed once.
 */
export function contentHash(manifest: JsonObject): string {
  let hash = known.get(manifest);
  if (hash === undefined) {
    hash = createHash('sha256').update(canonical(manifest)).digest('hex').slice(0, 32);
    known.set(manifest, hash);
  }
  return hash;
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}
