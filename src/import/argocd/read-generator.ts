import type { MapReader } from '../map-reader.ts';
import type { ParameterSource } from '../template/scope.ts';
import { Untranslatable } from '../template/untranslatable.ts';
import { readClusters } from './clusters-generator.ts';
import { type ArgoContext, type Combination, multiply, nothing } from './combination.ts';
import { readGit } from './git-generator.ts';
import { readList } from './list-generator.ts';
import { mergeCombinations } from './merge-generator.ts';
import { postSelector } from './post-selector.ts';

/** Generators that ask another system for what there is. */
const askers = {
  scmProvider: 'repositories of an organisation',
  pullRequest: 'pull requests',
  clusterDecisionResource: 'decisions of another resource',
  plugin: 'a plugin',
} as const;

/**
 * One entry of `generators`, with all that is nested in it. Undefined, with a finding, where it cannot be said.
 * `earlier`: what a matrix has given before it.
 */
export function readGenerator(
  reader: MapReader,
  context: ArgoContext,
  earlier: readonly ParameterSource[] = [],
): Combination | undefined {
  const combination = readKind(reader, context, earlier);
  const selector = reader.map('selector');
  reader.end();
  if (combination === undefined || selector === undefined) return combination;
  return {
    ...combination,
    conditions: [...combination.conditions, ...postSelector(selector, combination, context)],
  };
}

function readKind(
  reader: MapReader,
  context: ArgoContext,
  earlier: readonly ParameterSource[],
): Combination | undefined {
  for (const [key, what] of Object.entries(askers)) {
    const found = reader.note('unsupported', key, {
      message: `a generator of ${what} has no equal: what is deployed is known from Git and from the clusters' labels`,
      remedy: 'Commit what it would find as files, and name them in each.files; or label the clusters.',
    });
    if (found) return undefined;
  }
  const clusters = reader.map('clusters');
  if (clusters !== undefined) return readClusters(clusters, context, earlier);
  const git = reader.map('git');
  if (git !== undefined) return readGit(git, context, earlier);
  const list = reader.map('list');
  if (list !== undefined) return readList(list, context);
  const matrix = reader.map('matrix');
  if (matrix !== undefined) return readMatrix(matrix, context, earlier);
  const merge = reader.map('merge');
  if (merge !== undefined) return readMerge(merge, context);
  context.notes.fault(reader.path, 'holds no generator that is known');
  return undefined;
}

function readMatrix(
  reader: MapReader,
  context: ArgoContext,
  earlier: readonly ParameterSource[],
): Combination | undefined {
  const children = reader.maps('generators');
  reader.any('template');
  reader.end();
  if (children.length === 0) {
    context.notes.fault([...reader.path, 'generators'], 'must hold generators');
    return undefined;
  }
  return children.reduce<Combination | undefined>((product, child) => {
    if (product === undefined) return undefined;
    const next = readGenerator(child, context, [...product.sources, ...earlier]);
    return next && multiply(product, next, { path: reader.path, notes: context.notes });
  }, nothing);
}

function readMerge(reader: MapReader, context: ArgoContext): Combination | undefined {
  const keys = reader.texts('mergeKeys');
  const children = reader.maps('generators').map((child) => readGenerator(child, context));
  reader.any('template');
  reader.end();
  if (keys.length === 0) context.notes.fault([...reader.path, 'mergeKeys'], 'must name at least one key');
  const combinations = children.filter((child) => child !== undefined);
  if (combinations.length < children.length) return undefined;
  try {
    return mergeCombinations(combinations, { keys, options: context.options });
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    const { message, remedy } = error;
    context.notes.add('unsupported', reader.path, { message, ...(remedy !== undefined && { remedy }) });
    return undefined;
  }
}
