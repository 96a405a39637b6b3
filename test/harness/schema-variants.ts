import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../../src/model/json.ts';

type Path = readonly (string | number)[];

export interface Variant {
  /** 'Pod spec.containers.0.image: 7' */
  readonly what: string;
  readonly manifest: JsonObject;
}

const values: readonly JsonValue[] = [
  'NoSuch',
  '',
  '5',
  7,
  1.5,
  -1,
  99_999_999_999,
  true,
  null,
  [],
  {},
  ['x'],
  { x: 1 },
];

/** The manifest with one thing changed: a field left out, of another value, an unknown one added, an item repeated. */
export function* variantsOf(manifest: JsonObject): Generator<Variant> {
  const kind = stringAt(manifest, 'kind') ?? '';
  for (const { path, value } of placesIn(manifest, [])) {
    const variant = (how: string, changed: JsonValue | undefined): Variant => ({
      what: `${kind} ${path.join('.')}: ${how}`,
      manifest: replaceAt(manifest, path, changed) as JsonObject,
    });
    if (isJsonObject(value)) yield variant('unknown', { ...value, noSuchField: 'x' });
    if (namesObject(path)) continue;
    yield variant('left out', undefined);
    for (const other of values) yield variant(JSON.stringify(other), other);
    if (!Array.isArray(value)) continue;
    yield variant('null added', [...value, null]);
    if (value[0] !== undefined) yield variant('item repeated', [...value, value[0]]);
  }
}

/** What says which object it is stays: another one may be right. */
function namesObject([first, second, ...rest]: Path): boolean {
  if (first === undefined || first === 'apiVersion' || first === 'kind') return true;
  return (
    first === 'metadata' && rest.length === 0 && [undefined, 'name', 'namespace'].includes(second as string)
  );
}

function* placesIn(
  value: JsonValue,
  path: Path,
): Generator<{ readonly path: Path; readonly value: JsonValue }> {
  yield { path, value };
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* placesIn(item, [...path, index]);
  if (isJsonObject(value))
    for (const [key, entry] of Object.entries(value)) yield* placesIn(entry, [...path, key]);
}

/** A copy with another value at a path; without it where that is undefined. */
function replaceAt(
  value: JsonValue,
  [step, ...rest]: Path,
  to: JsonValue | undefined,
): JsonValue | undefined {
  if (step === undefined) return to;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const changed = index === step ? replaceAt(item, rest, to) : item;
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, entry]) => {
    const changed = key === step ? replaceAt(entry, rest, to) : entry;
    return changed === undefined ? [] : [[key, changed] as const];
  });
  return Object.fromEntries(entries);
}
