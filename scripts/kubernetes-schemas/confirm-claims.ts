import pLimit from 'p-limit';

import {
  arrayAt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  stringAt,
} from '../../src/model/json.ts';
import type { TestApi } from '../../test/harness/test-api.ts';
import type { ServedKind } from './read-server.ts';
import { textsAt } from '../../src/render/validate/schema/texts-at.ts';

type Path = readonly (string | number)[];
type Definitions = Readonly<Record<string, JsonObject>>;

/** That a field of a definition is required, or takes certain values only. */
export interface Claim {
  readonly definition: string;
  readonly field: string;
  readonly what: 'required' | 'enum';
}

export interface Verdict extends Claim {
  readonly kind: ServedKind;
  /** Of the field in an object of the kind. */
  readonly path: string;
  /** unclear: something else kept the server from saying. */
  readonly outcome: 'refused' | 'accepted' | 'unclear';
  /** What the server answered, for readers. */
  readonly answer: string;
}

const concurrency = 16;
/** Stands for any key of a map; no field has this name. */
const mapKey = 'some-key';

/**
 * Asks the server about each claim of the schemas, for each kind that it concerns: an object without the field, or with
 * a value that is none of those, must be refused for that very field. Published schemas call fields required that a
 * server does without, so that only what it confirms is worth an error.
 */
export async function probeClaims(
  api: TestApi,
  kinds: readonly ServedKind[],
  definitions: Definitions,
): Promise<Verdict[]> {
  const limit = pLimit(concurrency);
  const probes = kinds.flatMap((kind) => claimsOf(kind, definitions));
  return await Promise.all(probes.map((probe) => limit(() => ask(api, probe, definitions))));
}

/** The definitions with just those claims that were confirmed for some kind and contradicted for none. */
export function withConfirmedClaims(definitions: Definitions, verdicts: readonly Verdict[]): Definitions {
  const byClaim = Map.groupBy(verdicts, ({ definition, field, what }) => keyOf({ definition, field, what }));
  const holds = (claim: Claim): boolean => {
    const outcomes = (byClaim.get(keyOf(claim)) ?? []).map(({ outcome }) => outcome);
    return outcomes.includes('refused') && !outcomes.includes('accepted');
  };
  return Object.fromEntries(
    Object.entries(definitions).map(([definition, schema]) => [
      definition,
      confirmed(schema, (field, what) => holds({ definition, field, what })),
    ]),
  );
}

function keyOf({ definition, field, what }: Claim): string {
  return `${definition} ${field} ${what}`;
}

function confirmed(schema: JsonObject, holds: (field: string, what: Claim['what']) => boolean): JsonObject {
  const { required: _required, properties, ...others } = schema;
  const required = textsAt(schema, 'required').filter((field) => holds(field, 'required'));
  if (!isJsonObject(properties)) return schema;
  const checked = Object.entries(properties).map(([field, property]) => {
    if (!isJsonObject(property) || property['enum'] === undefined || holds(field, 'enum'))
      return [field, property] as const;
    const { enum: _values, ...open } = property;
    return [field, open] as const;
  });
  return { ...others, ...(required.length > 0 && { required }), properties: Object.fromEntries(checked) };
}

interface Probe extends Claim {
  readonly kind: ServedKind;
  /** From the object to the definition. */
  readonly at: Path;
}

function claimsOf(kind: ServedKind, definitions: Definitions): Probe[] {
  const probes: Probe[] = [];
  const seen = new Set<string>();
  const pending: { readonly name: string; readonly at: Path }[] = [{ name: kind.definition, at: [] }];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const { name, at } = next;
    if (seen.has(name)) continue;
    seen.add(name);
    const schema = objectAt(definitions, name);
    const properties = objectAt(schema, 'properties');
    for (const field of textsAt(schema, 'required')) {
      probes.push({ definition: name, field, what: 'required', kind, at });
    }
    for (const [field, property] of Object.entries(properties)) {
      if (isJsonObject(property) && property['enum'] !== undefined)
        probes.push({ definition: name, field, what: 'enum', kind, at });
      if (at.length === 0 && ['metadata', 'status'].includes(field)) continue;
      pending.push(...referencesAt(property, [...at, field]));
    }
  }
  return probes;
}

function referencesAt(
  schema: JsonValue | undefined,
  at: Path,
): { readonly name: string; readonly at: Path }[] {
  if (!isJsonObject(schema)) return [];
  const name = stringAt(schema, '$ref');
  if (name !== undefined) return [{ name, at }];
  return [
    ...referencesAt(schema['items'], [...at, 0]),
    ...referencesAt(schema['additionalProperties'], [...at, mapKey]),
  ];
}

async function ask(api: TestApi, probe: Probe, definitions: Definitions): Promise<Verdict> {
  const { kind, at, field, what } = probe;
  const body = probeObject(probe, definitions);
  const answer = await api.send({
    method: 'POST',
    path: `${kind.path}?dryRun=All&fieldValidation=Strict`,
    body: { ...body, apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'probe' } },
  });
  const path = formatFieldPath([...at, field]);
  const causes = arrayAt(objectAt(answer.body, 'details'), 'causes');
  const outcome =
    answer.status < 300
      ? 'accepted'
      : causes.some((cause) => isAbout(what, path, cause))
        ? 'refused'
        : 'unclear';
  return { ...probe, path, outcome, answer: `${answer.status} ${stringAt(answer.body, 'message') ?? ''}` };
}

/** Whether the server complains of just this: of the field, of what is missing with it, or of the map that it is in. */
function isAbout(what: Claim['what'], path: string, cause: JsonValue): boolean {
  const field = stringAt(cause, 'field') ?? '';
  const reason = stringAt(cause, 'reason') ?? '';
  if (!complaints.has(reason)) return false;
  if (field === path) return true;
  if (what === 'required') return field.startsWith(`${path}.`);
  return path.startsWith(`${field}.`) && (stringAt(cause, 'message') ?? '').includes(noSuchValue);
}

const complaints = new Set(['FieldValueRequired', 'FieldValueInvalid', 'FieldValueNotSupported']);
const noSuchValue = 'NoSuchValue';

/** An object of the kind that holds little more than the way to the field. */
function probeObject({ kind, at, field, what }: Probe, definitions: Definitions): JsonObject {
  const build = (schema: JsonObject, rest: Path): JsonValue => {
    const resolved = resolve(schema, definitions);
    const [step, ...further] = rest;
    const value = sampleOf(resolved, definitions, 0);
    if (step === undefined) return spoil(value as JsonObject);
    if (typeof step === 'number') return [build(objectAt(resolved, 'items'), further)];
    const child = isJsonObject(resolved['properties'])
      ? objectAt(resolved, 'properties', step)
      : objectAt(resolved, 'additionalProperties');
    return { ...(value as JsonObject), [step]: build(child, further) };
  };
  const spoil = (value: JsonObject): JsonObject => {
    if (what === 'enum') return { ...value, [field]: noSuchValue };
    const { [field]: _removed, ...others } = value;
    return others;
  };
  return build(objectAt(definitions, kind.definition), at) as JsonObject;
}

const maxSampleDepth = 6;

/** Little that is of the right types; what a server needs to get as far as the field. */
function sampleOf(schema: JsonObject, definitions: Definitions, depth: number): JsonValue {
  const resolved = resolve(schema, definitions);
  const [first] = arrayAt(resolved, 'enum').filter((value) => value !== '');
  if (first !== undefined) return first;
  if (resolved['x-kubernetes-int-or-string'] === true || resolved['format'] === 'quantity') return 1;
  switch (resolved['type']) {
    case 'string':
      return resolved['format'] === 'date-time' ? '2024-01-02T03:04:05Z' : 'a';
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return depth > maxSampleDepth ? [] : [sampleOf(objectAt(resolved, 'items'), definitions, depth + 1)];
    default:
      return Object.fromEntries(
        textsAt(resolved, 'required').map((field) => [
          field,
          sampleOf(objectAt(resolved, 'properties', field), definitions, depth + 1),
        ]),
      );
  }
}

function resolve(schema: JsonObject, definitions: Definitions): JsonObject {
  const name = stringAt(schema, '$ref');
  return name === undefined ? schema : objectAt(definitions, name);
}

/** 'spec.ports[0].port', as the server writes it. */
function formatFieldPath(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number' || step === mapKey) return `[${step}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}
