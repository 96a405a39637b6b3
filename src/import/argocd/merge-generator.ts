import { type JsonObject, jsonEqual } from '../../model/json.ts';
import { clusterOfServer, type ImportOptions } from '../import-options.ts';
import type { ParameterSource } from '../template/scope.ts';
import { variablePart } from '../template/template.ts';
import { Untranslatable } from '../template/untranslatable.ts';
import { type Combination, mergeMaps } from './combination.ts';
import { listSource } from './list-source.ts';

interface Merge {
  readonly keys: readonly string[];
  readonly options: ImportOptions;
}

const remedy = 'Write a generator of the first, and an override for each change.';

/**
 * What a merge generator makes: the first generator's parameters, changed by each of the others where all merge keys
 * agree. Lists are merged here and now; what changes values of clusters is an override.
 * @throws Untranslatable where that cannot be said.
 */
export function mergeCombinations([base, ...others]: readonly Combination[], merge: Merge): Combination {
  if (base === undefined) throw noEqual('a merge of no generators gives nothing');
  if (base.list && !base.clusterSelector && others.every(isListAlone)) return mergedList(base, others, merge);
  if (base.clusterSelector && !base.list && !base.directories && !base.files) {
    return others.reduce((merged, other) => overridden(merged, other, merge), base);
  }
  throw noEqual('a merge of these generators has no equal');
}

function isListAlone(combination: Combination): boolean {
  const { list, clusterSelector, directories, files } = combination;
  return list !== undefined && !clusterSelector && !directories && !files;
}

function mergedList(base: Combination, others: readonly Combination[], { keys }: Merge): Combination {
  const list = (base.list ?? []).map((element) => {
    const matching = others.flatMap(({ list: elements = [] }) =>
      elements.filter((each) => keys.every((key) => jsonEqual(each[key], element[key]))),
    );
    return matching.reduce<JsonObject>((merged, each) => mergeMaps(merged, each), element);
  });
  return { ...base, list, sources: [listSource(list)] };
}

/** Clusters again, with a narrower selector and other values; or a list that names clusters by a merge key. */
function overridden(base: Combination, other: Combination, merge: Merge): Combination {
  if (other.clusterSelector && !other.list && !other.directories && !other.files) {
    if (!merge.keys.every((key) => key === 'name' || key === 'nameNormalized' || key === 'server')) {
      throw noEqual(`clusters merged by ${merge.keys.join(', ')} have no equal`);
    }
    return withOverrides(base, other.parameters, [
      { clusterSelector: other.clusterSelector, ...when(other.conditions), parameters: other.parameters },
    ]);
  }
  if (!isListAlone(other)) throw noEqual('a merge of these generators has no equal');
  const overrides: JsonObject[] = [];
  let parameters: JsonObject = {};
  for (const element of other.list ?? []) {
    const chosen = chosenClusters(element, merge);
    const values = valuesOf(element, merge.keys);
    parameters = { ...parameters, ...values };
    overrides.push({ ...chosen, parameters: values });
  }
  return withOverrides(base, parameters, overrides);
}

function withOverrides(
  base: Combination,
  parameters: JsonObject,
  overrides: readonly JsonObject[],
): Combination {
  const source: ParameterSource = {
    isOpen: false,
    resolve([root, ...rest]) {
      const key = root === 'values' ? rest.join('.') : [root, ...rest].join('.');
      if (!Object.hasOwn(parameters, key)) return undefined;
      return { ok: true, template: [variablePart(['params', key])] };
    },
  };
  return { ...base, overrides: [...base.overrides, ...overrides], sources: [...base.sources, source] };
}

function when(conditions: readonly string[]): { when?: string } {
  return conditions.length === 0 ? {} : { when: conditions.join(' && ') };
}

/** Which clusters an element of a list is for: its merge keys say it. */
function chosenClusters(element: JsonObject, merge: Merge): JsonObject {
  const matchLabels: JsonObject = {};
  const conditions: string[] = [];
  for (const key of merge.keys) {
    const value = element[key];
    const label = /^metadata\.labels\.(.+)$/.exec(key)?.[1];
    if (typeof value !== 'string') throw noEqual(`an element has no ${key}`);
    if (label !== undefined) matchLabels[label] = value;
    else if (key === 'name' || key === 'nameNormalized') conditions.push(named(value));
    else if (key === 'server') conditions.push(named(nameOfServer(value, merge)));
    else throw noEqual(`clusters merged by ${key} have no equal`);
  }
  const clusterSelector = Object.keys(matchLabels).length > 0 ? { matchLabels } : {};
  return { clusterSelector, ...when(conditions) };
}

function nameOfServer(server: string, { options }: Merge): string {
  const name = clusterOfServer(server, options);
  if (name !== undefined) return name;
  throw noEqual(`the cluster at ${server} has no name here`, `Say it with --server ${server}=NAME.`);
}

function named(cluster: string): string {
  return `cluster.name == ${JSON.stringify(cluster)}`;
}

/** An element without its merge keys, its `values` as the parameters that they are. */
function valuesOf(element: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(element)
      .filter(([key]) => !keys.includes(key))
      .flatMap(([key, value]) =>
        key === 'values' && typeof value === 'object' && value !== null
          ? Object.entries(value)
          : [[key.replace(/^values\./, ''), value] as const],
      ),
  );
}

function noEqual(message: string, whatToDo = remedy): Untranslatable {
  return new Untranslatable(message, whatToDo);
}
