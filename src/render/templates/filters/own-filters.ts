import { dump } from 'js-yaml';

import { sortedValue } from './sorted-value.ts';
import { textOf } from './text-of.ts';

type Filter = (value: unknown, argument?: unknown) => string | number | boolean | object;

/** The filters that Liquid does not have, or has with another meaning. docs/rendering.md lists them. */
export const ownFilters: Readonly<Record<string, Filter>> = {
  required: (value, message) => {
    if (value !== undefined && value !== null && value !== '') return value;
    throw new Error(message === undefined ? 'a required value is missing' : textOf(message));
  },
  quote: (value) => doubleQuoted(textOf(value)),
  squote: (value) => singleQuoted(textOf(value)),
  indent: (value, width) => indented(textOf(value), width),
  nindent: (value, width) => `\n${indented(textOf(value), width)}`,
  to_yaml: (value) => toYaml(value),
  to_json: (value) => JSON.stringify(sortedValue(value ?? null)),
  b64enc: (value) => Buffer.from(textOf(value), 'utf8').toString('base64'),
  b64dec: (value) => decodeBase64(textOf(value)),
  lower: (value) => textOf(value).toLowerCase(),
  upper: (value) => textOf(value).toUpperCase(),
  trim: (value) => textOf(value).trim(),
};

/** JSON's escapes are YAML's, too; what YAML may not hold as it is, or would take for a line's end, is escaped as well. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(unprintable, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function singleQuoted(text: string): string {
  // YAML has no escapes between single quotes.
  if (/[\u0000-\u001f]/.test(text) || text.search(unprintable) >= 0)
    throw new Error('a text of several lines cannot stand between single quotes; use quote');
  return `'${text.replaceAll("'", "''")}'`;
}

function indented(text: string, width: unknown): string {
  if (typeof width !== 'number' || !Number.isInteger(width) || width < 0 || width > 200)
    throw new Error('needs a number of spaces, as in indent: 4');
  const margin = ' '.repeat(width);
  const lines = text.split('\n').map((line) => (line === '' ? line : margin + line));
  return lines.join('\n');
}

function toYaml(value: unknown): string {
  return dump(sortedValue(value ?? null), { noRefs: true, lineWidth: -1 }).replace(/\n$/, '');
}

function decodeBase64(text: string): string {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replaceAll(/\s/g, '').replace(/=+$/, ''))
    throw new Error('b64dec needs base64, and this is none');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error('b64dec gives text, and what is encoded here is none');
  }
}
