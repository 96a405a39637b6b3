import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';
import type { FieldPath } from './field-edit.ts';

/** The tokens of a JSON pointer that config has checked. Source: RFC 6901, section 4. */
export function tokensOf(pointer: string): string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Where a pointer leads, or what is in its way. */
export type Located =
  | {
      readonly ok: true;
      readonly path: FieldPath;
      /** The map or list that holds the place. */
      readonly parent: JsonObject | readonly JsonValue[];
      /** undefined where nothing is there yet. */
      readonly value: JsonValue | undefined;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Follows a pointer through a document's own keys. The last token may name what does not exist.
 * @param keyOf how the document writes a key.
 */
export function locate(document: JsonObject, pointer: string, keyOf: (token: string) => string): Located {
  const path: (string | number)[] = [];
  let parent: JsonObject | readonly JsonValue[] = document;
  let value: JsonValue | undefined = document;
  for (const token of tokensOf(pointer)) {
    const at = formatPointer(tokensOf(pointer).slice(0, path.length));
    if (value === undefined) return { ok: false, reason: `there is no ${at}` };
    if (!Array.isArray(value) && !isJsonObject(value))
      return { ok: false, reason: `${at} is neither a map nor a list` };
    parent = value;
    const step: string | number | undefined = Array.isArray(value) ? indexOf(value, token) : keyOf(token);
    if (step === undefined)
      return { ok: false, reason: `${at} is a list, and ${JSON.stringify(token)} is no index` };
    path.push(step);
    value = childOf(value, step);
  }
  return { ok: true, path, parent, value };
}

/** '-' is the place behind the last item. Source: RFC 6901, section 4. */
function indexOf(list: readonly JsonValue[], token: string): number | undefined {
  if (token === '-') return list.length;
  return /^(0|[1-9][0-9]*)$/.test(token) ? Number(token) : undefined;
}

function childOf(parent: JsonObject | readonly JsonValue[], step: string | number): JsonValue | undefined {
  if (isJsonObject(parent)) return Object.hasOwn(parent, step) ? parent[step] : undefined;
  return parent[Number(step)];
}

/** '/spec/containers/0'. */
export function formatPointer(path: FieldPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
