import { type Event, type EVENT_ID, getScalarValue, SCALAR_STYLE } from 'js-yaml';

import { coreTagOf, shortTag } from './yaml-tags.ts';

/**
 * Scalars as kubectl reads them: go-yaml v2's rules (YAML 1.1 with a few exceptions), not those of YAML 1.2.
 * Source: sigs.k8s.io/yaml/goyaml.v2, resolve.go; checked against kubectl over a corpus of oddities in the tests.
 */
export type Scalar =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'int'; readonly value: number }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'invalid'; readonly reason: string };

const words = new Map<string, boolean | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    (word) => [word, true] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (word) => [word, false] as const,
  ),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);

const notANumber = /^(\.nan|\.NaN|\.NAN|[-+]?\.(inf|Inf|INF))$/;
const integer = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9][0-9]*)$/;
const decimal = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const wholeNumber = /^[-+]?[0-9]+$/;

/** What an unquoted scalar means. */
export function resolvePlainScalar(source: string): Scalar {
  const word = words.get(source);
  if (word !== undefined)
    return word === null ? { type: 'null', value: null } : { type: 'boolean', value: word };
  const first = source.charCodeAt(0);
  // Only '+', '-', '.' and digits can begin a number; most scalars are text and end here.
  if (!(first === 43 || first === 45 || first === 46 || (first >= 48 && first <= 57))) {
    return { type: 'string', value: source };
  }
  return resolveNumber(source);
}

function resolveNumber(source: string): Scalar {
  if (notANumber.test(source))
    return { type: 'invalid', reason: `${source} is no number that JSON can hold` };
  // go-yaml drops underscores except where the number begins with a dot.
  const plain = source.startsWith('.') ? source : source.replaceAll('_', '');
  const whole = integer.exec(plain);
  if (whole !== null) return integerOf(whole[1] ?? '', whole[2] ?? '', source);
  if (!decimal.test(plain)) return { type: 'string', value: source };
  const value = Number(plain);
  if (!Number.isFinite(value)) return { type: 'string', value: source };
  // '08' is a float by go-yaml's rules, being no octal number; a long row of digits is one because it overflows.
  if (wholeNumber.test(plain) && !Number.isSafeInteger(value)) return tooLarge(source);
  return { type: 'float', value: value === 0 ? 0 : value };
}

function integerOf(sign: string, digits: string, source: string): Scalar {
  const octal = /^0[0-7]+$/.test(digits);
  const magnitude = Number(octal ? `0o${digits}` : digits);
  if (!Number.isSafeInteger(magnitude)) return tooLarge(source);
  return { type: 'int', value: sign === '-' && magnitude !== 0 ? -magnitude : magnitude };
}

function tooLarge(source: string): Scalar {
  return {
    type: 'invalid',
    reason: `${source} is beyond 2^53 and would lose digits; quote it if it is text`,
  };
}

/** What a scalar with an explicit tag ('tag:yaml.org,2002:int') means. Tags that say nothing to kubectl are refused. */
export function resolveTaggedScalar(tag: string, source: string): Scalar {
  switch (coreTagOf(tag)) {
    case 'str':
    case '!':
      return { type: 'string', value: source };
    case 'binary':
      return binary(source);
    case 'int':
      return expectType(source, ['int'], 'an integer');
    case 'float': {
      const scalar = expectType(source, ['int', 'float'], 'a number');
      return scalar.type === 'int' ? { type: 'float', value: scalar.value } : scalar;
    }
    case 'bool':
      return expectType(source, ['boolean'], 'a boolean');
    case 'null':
      return expectType(source, ['null'], 'null');
    default:
      return { type: 'invalid', reason: `unknown tag ${shortTag(tag)}` };
  }
}

function expectType(source: string, types: readonly Scalar['type'][], article: string): Scalar {
  const scalar = resolvePlainScalar(source);
  if (scalar.type === 'invalid' || types.includes(scalar.type)) return scalar;
  return { type: 'invalid', reason: `${JSON.stringify(source)} is tagged as ${article}, but is none` };
}

function binary(source: string): Scalar {
  const text = source.replace(/\s/g, '');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '')) {
    return { type: 'invalid', reason: '!!binary holds no valid base64' };
  }
  try {
    return {
      type: 'string',
      value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    };
  } catch {
    return {
      type: 'invalid',
      reason: '!!binary holds bytes that are no UTF-8; use binaryData or a Secret’s data',
    };
  }
}

/**
 * The JSON key for a mapping's key, as kubectl makes it; undefined for null and for what 32 bits cannot hold.
 * Source: sigs.k8s.io/yaml, convertToJSONableObject: floats are written with 32 bits and Go's 'g' format.
 */
export function keyOf(scalar: Exclude<Scalar, { type: 'invalid' }>): string | undefined {
  switch (scalar.type) {
    case 'string':
      return scalar.value;
    case 'boolean':
    case 'int':
      return String(scalar.value);
    case 'float':
      return formatFloat32(scalar.value);
    case 'null':
      return undefined;
  }
}

function formatFloat32(value: number): string | undefined {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return undefined;
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toPrecision(digits))) !== single) digits++;
  const [mantissa = '0', exponent = '0'] = single.toExponential(digits - 1).split('e');
  const power = Number(exponent);
  const shortened = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  if (power >= -4 && power < 6) return String(Number(single.toPrecision(digits)));
  return `${shortened}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

export type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;

/** The text of a scalar with quotes, escapes and folding undone, before it gets a type. */
export function sourceOf(text: string, event: ScalarEvent): string {
  if (event.style !== SCALAR_STYLE.DOUBLE_QUOTED || event.fast) return getScalarValue(text, event);
  const quoted = text.slice(event.valueStart, event.valueEnd);
  const mended = quoted.replace(escapes, keepEmptyLines);
  return mended === quoted
    ? getScalarValue(text, event)
    : getScalarValue(mended, { ...event, valueStart: 0, valueEnd: mended.length });
}

// Each escape is consumed whole, so that the second of two backslashes begins none.
const escapes = /\\(?:(?:\r\n?|\n)[ \t]*((?:(?:\r\n?|\n)[ \t]*)+)|[^])/g;

/** Empty lines after an escaped line break are line breaks of the text, which js-yaml 5 leaves out. */
function keepEmptyLines(escape: string, emptyLines: string | undefined): string {
  return emptyLines === undefined ? escape : (emptyLines.match(/\r\n?|\n/g) ?? []).map(() => '\\n').join('');
}
