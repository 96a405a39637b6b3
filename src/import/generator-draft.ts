import type { JsonObject, JsonValue } from '../model/json.ts';
import type { Notes, Path } from './notes.ts';

/** A generator on its way: its name may still have to give way to another's. */
export interface GeneratorDraft {
  readonly name: string;
  readonly spec: GeneratorSpec;
  readonly notes: Notes;
  /** Where in the foreign document its name comes from. */
  readonly namePath: Path;
}

/** `spec` of a Generator, as far as a translation sets it. */
export interface GeneratorSpec {
  readonly clusterSelector: JsonObject;
  /** CEL; all must hold. */
  readonly conditions: readonly string[];
  readonly sourcePath: string;
  readonly render?: JsonObject;
  readonly namespace?: string;
  readonly parameters: JsonObject;
  readonly each: JsonObject;
  readonly overrides: readonly JsonObject[];
  readonly dependsOn: readonly string[];
  readonly sync: JsonObject;
}

/** The document of a Generator, with its keys in the usual order and nothing that says the default. */
export function generatorDocument(name: string, spec: GeneratorSpec): JsonObject {
  const when = joinConditions(spec.conditions);
  const entries: (readonly [string, JsonValue | undefined])[] = [
    ['when', when],
    ['source', { path: spec.sourcePath }],
    ['render', spec.render],
    ['namespace', spec.namespace],
    ['parameters', spec.parameters],
    ['each', spec.each],
    ['overrides', [...spec.overrides]],
    ['dependsOn', [...spec.dependsOn]],
    ['sync', spec.sync],
  ];
  const given = entries.filter(
    (entry): entry is readonly [string, JsonValue] => entry[1] !== undefined && !isEmpty(entry[1]),
  );
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Generator',
    metadata: { name },
    spec: { clusterSelector: spec.clusterSelector, ...Object.fromEntries(given) },
  };
}

function joinConditions(conditions: readonly string[]): string | undefined {
  const distinct = [...new Set(conditions)];
  if (distinct.length < 2) return distinct[0];
  return distinct.map((each) => (each.includes('||') ? `(${each})` : each)).join(' && ');
}

function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A name as generators have it, from any text; '' where nothing of it can stand in one. */
export function plainName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/-*\.[-.]*/g, '.')
    .replace(/^[-.]+|[-.]+$/g, '');
}
