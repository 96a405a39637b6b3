import type { JsonValue } from '../model/json.ts';

import { neutralise } from '../model/neutralise.ts';

/** Strings that need no quotes to be told from numbers, booleans and null. */
const plain = /^(?:[\p{L}_./][\p{L}\p{N}_./:@+-]*|\(hidden, [0-9a-f]+\))$/u;
const readsAsOther = /^(?:true|false|null|yes|no|on|off|y|n|\.inf|\.nan|\.?[0-9].*)$/i;

/** A value on one line, as a person would write it: nginx:1.27, "5", 5, {"app":"web"}. Never cut. */
export function formatValue(value: JsonValue): string {
  if (typeof value !== 'string') return neutralise(JSON.stringify(value));
  if (plain.test(value) && !readsAsOther.test(value)) return neutralise(value);
  return neutralise(JSON.stringify(value));
}

/** Text of at most `max` characters; what is cut is marked with '…'. */
export function truncate(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, Math.max(1, max - 1)).join('')}…`;
}

/**
 * Two values on one line each, of at most `max` characters. Long ones are cut so that the first difference shows:
 * the beginning of a file is no news when line 40 was edited.
 */
export function formatPair(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  max: number,
): [string | undefined, string | undefined] {
  const first = a === undefined ? undefined : formatValue(a);
  const second = b === undefined ? undefined : formatValue(b);
  if (first === undefined || second === undefined) {
    return [first && truncate(first, max), second && truncate(second, max)];
  }
  const start = Math.max(0, commonLength(first, second) - Math.floor(max / 4));
  return [excerpt(first, start, max), excerpt(second, start, max)];
}

function excerpt(text: string, start: number, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max || start === 0) return truncate(text, max);
  // Show as much as fits when only the end is left.
  const from = Math.max(1, Math.min(start, characters.length - max + 1));
  return `…${truncate(characters.slice(from).join(''), max - 1)}`;
}

function commonLength(a: string, b: string): number {
  const [x, y] = [Array.from(a), Array.from(b)];
  const end = Math.min(x.length, y.length);
  let length = 0;
  while (length < end && x[length] === y[length]) length += 1;
  return length;
}
