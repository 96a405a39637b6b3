import { didYouMean } from '../../../config/schema/suggestion.ts';
import { arrayAt, jsonEqual, type JsonValue } from '../../../model/json.ts';
import type { Schema } from './kubernetes-schemas.ts';
import { isQuantity } from './quantity.ts';
import { matchesPattern } from './matches-pattern.ts';

/** What a value is held against beside its schema. */
export interface CheckContext {
  readonly definitions: Readonly<Record<string, Schema>>;
  /**
   * builtIn: the server reads objects of the kind into types of its own, where null is as good as nothing.
   * custom: it holds them against the schema of a CustomResourceDefinition.
   */
  readonly kind: 'builtIn' | 'custom';
  /** How a value is shown in a message: of a Secret nothing may be. */
  readonly show: (value: JsonValue) => string;
}

type Show = CheckContext['show'];

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const dateTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d([.,]\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** What is wrong with the type of a value, or undefined. A schema without a type allows every one. */
export function faultOfType(value: JsonValue, schema: Schema, show: Show): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    const holds = typeof value === 'string' || Number.isInteger(value);
    return holds ? undefined : `Invalid value: ${show(value)}: must be an integer or a string`;
  }
  if (schema['format'] === 'quantity') return faultOfQuantity(value, show);
  const { type } = schema;
  if (typeof type !== 'string' || isOfType(value, type)) return undefined;
  const quote = type === 'string' && ['number', 'boolean'].includes(typeof value) ? '; quote it' : '';
  return `Invalid value: ${show(value)}: must be of type ${type}, not ${typeOf(value)}${quote}`;
}

function faultOfQuantity(value: JsonValue, show: Show): string | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && isQuantity(value))) return undefined;
  return `Invalid value: ${show(value)}: must be a quantity such as 500m, 1.5 or 64Mi`;
}

function isOfType(value: JsonValue, type: string): boolean {
  const actual = typeOf(value);
  return actual === type || (type === 'number' && actual === 'integer');
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** What is wrong with a value of the right type that is neither a map nor a list. */
export function faultsOfScalar(value: JsonValue, schema: Schema, context: CheckContext): string[] {
  return [
    faultOfEnum(value, schema, context),
    ...(typeof value === 'string' ? faultsOfText(value, schema, context) : []),
    ...(typeof value === 'number' ? faultsOfNumber(value, schema) : []),
  ].filter((fault) => fault !== undefined);
}

function faultOfEnum(value: JsonValue, schema: Schema, { kind, show }: CheckContext): string | undefined {
  const values = arrayAt(schema, 'enum');
  // A built-in field that is empty takes its default.
  if (kind === 'builtIn' && value === '') return undefined;
  if (values.length === 0 || values.some((allowed) => jsonEqual(allowed, value))) return undefined;
  const words = values.filter((allowed) => typeof allowed === 'string');
  const hint = typeof value === 'string' ? didYouMean(value, words) : '';
  const supported = values.map((allowed) => JSON.stringify(allowed)).join(', ');
  return `Unsupported value: ${show(value)}: supported values: ${supported}${hint}`;
}

function faultsOfText(text: string, schema: Schema, { kind, show }: CheckContext): (string | undefined)[] {
  const { format, pattern, minLength, maxLength } = schema;
  // Kubernetes counts code points, as OpenAPI does.
  const length = Array.from(text).length;
  const invalid = (reason: string): string => `Invalid value: ${show(text)}: ${reason}`;
  return [
    format === 'byte' && !base64.test(text.replace(/[\r\n]/g, '')) ? invalid('must be base64') : undefined,
    format === 'date-time' && kind === 'builtIn' && text !== '' && !dateTime.test(text)
      ? invalid('must be a time such as 2024-01-02T15:04:05Z')
      : undefined,
    typeof minLength === 'number' && length < minLength
      ? invalid(`should be at least ${minLength} chars long`)
      : undefined,
    typeof maxLength === 'number' && length > maxLength
      ? `Too long: may not be more than ${maxLength} characters`
      : undefined,
    typeof pattern === 'string' && matchesPattern(text, pattern) === false
      ? invalid(`should match '${pattern}'`)
      : undefined,
  ];
}

function faultsOfNumber(value: number, schema: Schema): (string | undefined)[] {
  const { multipleOf } = schema;
  const invalid = (reason: string): string => `Invalid value: ${value}: ${reason}`;
  return [
    ...faultsOfRange(value, schema).map(invalid),
    typeof multipleOf === 'number' && Number.isInteger(multipleOf) && value % multipleOf !== 0
      ? invalid(`should be a multiple of ${multipleOf}`)
      : undefined,
  ];
}

/** A server cuts a built-in whole number to 32 bits where its type has no more, and refuses nothing. */
export function warningOfNumber(
  value: JsonValue,
  { format }: Schema,
  { kind }: CheckContext,
): string | undefined {
  if (kind !== 'builtIn' || format !== 'int32' || typeof value !== 'number' || value === (value | 0))
    return undefined;
  return `the server keeps ${value | 0} instead of ${value}, which has more than 32 bits`;
}

function faultsOfRange(value: number, schema: Schema): string[] {
  const { minimum, maximum } = schema;
  const aboveOnly = schema['exclusiveMinimum'] === true;
  const belowOnly = schema['exclusiveMaximum'] === true;
  const isLow = typeof minimum === 'number' && (aboveOnly ? value <= minimum : value < minimum);
  const isHigh = typeof maximum === 'number' && (belowOnly ? value >= maximum : value > maximum);
  return [
    ...(isLow ? [`should be greater than ${aboveOnly ? '' : 'or equal to '}${minimum}`] : []),
    ...(isHigh ? [`should be less than ${belowOnly ? '' : 'or equal to '}${maximum}`] : []),
  ];
}
