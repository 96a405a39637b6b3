import type { z } from 'zod';

import { FleetError } from '../model/fleet-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../model/json.ts';
import type { YamlDocument } from './yaml/parse-manifests.ts';
import { knownKeysOf } from './schema/schema.ts';
import { didYouMean } from './schema/suggestion.ts';

/** What was read from outside, or everything that is wrong with it. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly faults: readonly FleetError[] };

export interface DocumentContext {
  readonly file: string;
  readonly generator?: string;
}

/** Holds a document against a schema. Every fault is a ConfigInvalid with the path and the position of its place. */
export function parseDocument<T>(
  schema: z.ZodType<T>,
  document: YamlDocument,
  context: DocumentContext,
): Parsed<T> {
  const result = safeParse(schema, document.value);
  if (result.ok) return { ok: true, value: result.value, warnings: [] };
  const faults = result.issues.slice(0, maxFaults).flatMap((issue) => faultsOf(issue, document, context));
  if (result.issues.length > maxFaults || faults.length > maxFaults)
    faults.splice(maxFaults, Infinity, configFault('and more faults', document, { ...context, path: [] }));
  return { ok: false, faults };
}

/** A list of thousands helps nobody. */
const maxFaults = 100;

function safeParse<T>(
  schema: z.ZodType<T>,
  value: JsonObject,
):
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly z.core.$ZodIssue[] } {
  try {
    const result = schema.safeParse(value);
    return result.success ? { ok: true, value: result.data } : { ok: false, issues: result.error.issues };
  } catch (error) {
    // zod runs out of stack where a list has a hundred thousand faults.
    if (!(error instanceof RangeError)) throw error;
    const message = 'has too many faults to list them';
    return { ok: false, issues: [{ code: 'custom', path: [], message, input: undefined }] };
  }
}

function faultsOf(issue: z.core.$ZodIssue, document: YamlDocument, context: DocumentContext): FleetError[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeysOf(issue);
    return issue.keys.slice(0, maxFaults + 1).map((key) => {
      const hint = didYouMean(key, known) || `; known are ${known.join(', ')}`;
      return configFault(`unknown key ${JSON.stringify(key)}${hint}`, document, {
        ...context,
        path: [...path, key],
        prefix: path,
      });
    });
  }
  return [configFault(readable(issue, document, path), document, { ...context, path, prefix: path })];
}

/** zod says 'expected string, received undefined' where a person would say that the key is missing. */
function readable(
  issue: z.core.$ZodIssue,
  document: YamlDocument,
  path: readonly (string | number)[],
): string {
  const isNumber = 'origin' in issue && (issue.origin === 'int' || issue.origin === 'number');
  if (issue.code === 'too_small' && isNumber) return `must be at least ${String(issue.minimum)}`;
  if (issue.code === 'too_big' && isNumber) return `must be at most ${String(issue.maximum)}`;
  if (issue.code !== 'invalid_type') return issue.message;
  const found = valueAtPath(document.value, path);
  if (found === undefined) return 'is required';
  const quote =
    issue.expected === 'string' && (typeof found === 'number' || typeof found === 'boolean')
      ? '; quote it'
      : '';
  return `must be ${articled(issue.expected)}, not ${JSON.stringify(found).slice(0, 60)}${quote}`;
}

/** The value at a path of keys and indexes; undefined where there is none. */
export function valueAtPath(value: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((current, step) => {
    if (Array.isArray(current)) return current[Number(step)];
    return isJsonObject(current) && Object.hasOwn(current, step) ? current[step] : undefined;
  }, value);
}

function articled(type: string): string {
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    object: 'a map',
    record: 'a map',
    array: 'a list',
  };
  return words[type] ?? type;
}

/** A ConfigInvalid at a path of a document. */
export function configFault(
  message: string,
  document: YamlDocument,
  place: DocumentContext & {
    readonly path: readonly (string | number)[];
    readonly prefix?: readonly (string | number)[];
  },
): FleetError {
  const at = document.locate(place.path, 'key');
  const prefix = formatPath(place.prefix ?? place.path);
  return new FleetError('ConfigInvalid', prefix === '' ? message : `${prefix}: ${message}`, {
    origin: {
      generator: place.generator ?? '',
      file: place.file,
      document: document.document,
      line: at.line,
      column: at.column,
    },
  });
}

/** 'spec.overrides[0].patches'; keys that are no plain words are quoted. */
export function formatPath(path: readonly (string | number)[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[A-Za-z_][\w-]*$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}
