import { maxItems } from '../../config/generator/each-schema.ts';
import { isJsonObject, type JsonObject } from '../../model/json.ts';
import type { ImportOptions } from '../import-options.ts';
import type { Notes, Path } from '../notes.ts';
import type { ParameterSource } from '../template/scope.ts';
import { createTranslator, type Translate } from '../template/translator.ts';
import { listSource } from './list-source.ts';

export interface ArgoContext {
  readonly notes: Notes;
  readonly goTemplate: boolean;
  readonly options: ImportOptions;
}

/** What one generator of an ApplicationSet, alone or combined, is in a generator of ours. */
export interface Combination {
  /** The clusters that a clusters generator picks; undefined where none is, so that items or the destination say it. */
  readonly clusterSelector?: JsonObject;
  readonly conditions: readonly string[];
  readonly list?: readonly JsonObject[];
  readonly directories?: JsonObject;
  readonly files?: JsonObject;
  readonly parameters: JsonObject;
  readonly overrides: readonly JsonObject[];
  /** What its templates may speak of. */
  readonly sources: readonly ParameterSource[];
}

export const nothing: Combination = { conditions: [], parameters: {}, overrides: [], sources: [] };

export function translatorFor(
  { notes, goTemplate }: ArgoContext,
  sources: readonly ParameterSource[],
): Translate {
  return createTranslator({ goTemplate, sources, notes });
}

/** What a matrix generator makes of two others: every pair. Undefined, with a finding, where that cannot be said. */
export function multiply(
  a: Combination,
  b: Combination,
  at: { path: Path; notes: Notes },
): Combination | undefined {
  const twice = twoOfAKind(a, b);
  if (twice !== undefined) {
    at.notes.add('unsupported', at.path, {
      message: `two generators of ${twice} in one matrix have no equal`,
      remedy: 'Write a list of the pairs, or a generator for each part of one of them.',
    });
    return undefined;
  }
  if ((a.list?.length ?? 0) * (b.list?.length ?? 0) > maxItems) {
    at.notes.add('unsupported', at.path, { message: `its lists give more than ${maxItems} items` });
    return undefined;
  }
  const list = a.list && b.list ? pairs(a.list, b.list) : (a.list ?? b.list);
  return {
    // What only one of them has comes from that one.
    ...a,
    ...b,
    ...(list && { list }),
    conditions: [...a.conditions, ...b.conditions],
    parameters: { ...a.parameters, ...b.parameters },
    overrides: [...a.overrides, ...b.overrides],
    sources: [...(a.list && b.list && list ? [listSource(list)] : []), ...a.sources, ...b.sources],
  };
}

function twoOfAKind(a: Combination, b: Combination): string | undefined {
  if (a.clusterSelector && b.clusterSelector) return 'clusters';
  if (a.directories && b.directories) return 'git directories';
  return a.files && b.files ? 'git files' : undefined;
}

/** Every pair of elements as one; of a key that both have the second's value counts. */
function pairs(first: readonly JsonObject[], second: readonly JsonObject[]): JsonObject[] {
  return first.flatMap((left) => second.map((right) => mergeMaps(left, right)));
}

/** Maps merged at any depth; elsewhere the second wins. */
export function mergeMaps(a: JsonObject, b: JsonObject): JsonObject {
  const merged = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = Object.hasOwn(a, key) ? a[key] : undefined;
    merged[key] = isJsonObject(before) && isJsonObject(value) ? mergeMaps(before, value) : value;
  }
  return merged;
}
