import type { JsonObject } from '../../model/json.ts';
import type { MapReader } from '../map-reader.ts';
import type { ParameterSource, Resolution } from '../template/scope.ts';
import { celText, constantText, variablePart } from '../template/template.ts';
import { type ArgoContext, type Combination, translatorFor } from './combination.ts';
import { readValues } from './values.ts';

/** What every registered cluster has. */
export const clusterSource: ParameterSource = {
  isOpen: false,
  resolve(path) {
    const [root, kind, key] = path;
    if (path.length === 1 && (root === 'name' || root === 'nameNormalized')) return known('name');
    if (path.length === 1 && (root === 'server' || root === 'project')) {
      return {
        ok: false,
        message: `a cluster's ${root} is not known to templates`,
        remedy: 'Give the clusters an annotation with it, and write cluster.annotations there.',
      };
    }
    if (root !== 'metadata' || (kind !== 'labels' && kind !== 'annotations')) return undefined;
    if (path.length === 2) return known(kind);
    return path.length === 3 && key !== undefined ? known(kind, key) : undefined;
  },
};

function known(...steps: (string | number)[]): Resolution {
  return { ok: true, template: [variablePart(['cluster', ...steps])] };
}

/** The clusters generator. `earlier`: what a matrix has given before it, which its selector may speak of. */
export function readClusters(
  reader: MapReader,
  context: ArgoContext,
  earlier: readonly ParameterSource[],
): Combination {
  const selector = reader.map('selector');
  const { clusterSelector, conditions } =
    selector === undefined
      ? { clusterSelector: {}, conditions: [] }
      : readSelector(selector, context, earlier);
  const values = readValues(reader, context, [clusterSource, ...earlier]);
  reader.note('unsupported', 'flatList', {
    message: 'one rendering for all clusters together has no equal: each cluster is rendered for itself',
    remedy: 'Write what needs the list of all clusters into the folder of the cluster that holds it.',
  });
  reader.any('template');
  reader.end();
  return {
    clusterSelector,
    conditions,
    parameters: values.parameters,
    overrides: [],
    sources: [clusterSource, values.source],
  };
}

interface Selection {
  readonly clusterSelector: JsonObject;
  readonly conditions: readonly string[];
}

const secretTypeLabel = 'argocd.argoproj.io/secret-type';

/** A selector of clusters: a value that is a template is compared in a condition. */
export function readSelector(
  selector: MapReader,
  context: ArgoContext,
  earlier: readonly ParameterSource[],
): Selection {
  const translate = translatorFor(context, earlier);
  const matchLabels: JsonObject = {};
  const conditions: string[] = [];
  for (const [key, text] of Object.entries(selector.textMap('matchLabels'))) {
    const path = [...selector.path, 'matchLabels', key];
    if (isOwnLabel(key, path, context)) continue;
    const template = translate(text, path);
    const constant = constantText(template);
    const value = celText(template);
    if (constant !== undefined) matchLabels[key] = constant;
    else if (value !== undefined) {
      const name = JSON.stringify(key);
      conditions.push(`${name} in cluster.labels && cluster.labels[${name}] == ${value}`);
    } else tellFilteredLabel(path, context);
  }
  const matchExpressions = selector
    .maps('matchExpressions')
    .flatMap((expression, index) => readExpression(expression, index, { selector, context }));
  selector.end();
  return {
    clusterSelector: {
      ...(Object.keys(matchLabels).length > 0 && { matchLabels }),
      ...(matchExpressions.length > 0 && { matchExpressions }),
    },
    conditions,
  };
}

function readExpression(
  reader: MapReader,
  index: number,
  { selector, context }: { readonly selector: MapReader; readonly context: ArgoContext },
): JsonObject[] {
  const path = [...selector.path, 'matchExpressions', index];
  const key = reader.text('key') ?? '';
  const operator = reader.text('operator') ?? '';
  const values = reader.texts('values');
  reader.end();
  if (isOwnLabel(key, path, context)) return [];
  if ([key, ...values].some((text) => text.includes('{{'))) {
    context.notes.add('unsupported', path, {
      message: 'an expression that is a template has no equal',
      remedy: 'Compare in `when`: cluster.labels["key"] == item.key.',
    });
    return [];
  }
  return [{ key, operator, ...(values.length > 0 && { values }) }];
}

/** Argo CD marks its cluster Secrets with a label; who asks for it means every cluster. */
function isOwnLabel(key: string, path: readonly (string | number)[], { notes }: ArgoContext): boolean {
  if (key === secretTypeLabel) {
    notes.add('dropped', path, {
      message: 'every registered cluster counts, also the one that Argo CD runs in if it is registered',
    });
    return true;
  }
  if (key.startsWith('argocd.argoproj.io/')) {
    notes.add('changed', path, {
      message: `the label ${key} is set by Argo CD itself`,
      remedy:
        'Give your clusters a label of that name, or select by another; cluster.version is known in `when`.',
    });
  }
  return false;
}

function tellFilteredLabel(path: readonly (string | number)[], { notes }: ArgoContext): void {
  notes.add('unsupported', path, {
    message: 'a label compared with something computed has no equal',
    remedy: 'Compare it in `when`.',
  });
}
