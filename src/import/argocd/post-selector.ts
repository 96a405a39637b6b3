import type { MapReader } from '../map-reader.ts';
import type { Path } from '../notes.ts';
import { pathOfTag, resolveParameter } from '../template/scope.ts';
import { celVariable, onlyVariable, type Variable } from '../template/template.ts';
import type { ArgoContext, Combination } from './combination.ts';

/** A selector over the parameters that a generator gave: a condition for each of its parts. */
export function postSelector(
  selector: MapReader,
  { sources }: Combination,
  { notes }: ArgoContext,
): string[] {
  const conditionOf = (key: string, path: Path, say: (variable: Variable) => string): string[] => {
    const resolution = resolveParameter(sources, pathOfTag(key));
    const variable = resolution.ok ? onlyVariable(resolution.template) : undefined;
    if (variable !== undefined) return [say(variable)];
    notes.add('unsupported', path, {
      message: resolution.ok ? `${key} is computed, and cannot be compared` : resolution.message,
      remedy: 'Say it in `when`.',
    });
    return [];
  };
  const labels = Object.entries(selector.textMap('matchLabels')).flatMap(([key, value]) =>
    conditionOf(key, [...selector.path, 'matchLabels', key], (variable) =>
      whereThere(variable, `${textOf(variable)} == ${JSON.stringify(value)}`),
    ),
  );
  const expressions = selector.maps('matchExpressions').flatMap((expression) => {
    const key = expression.text('key') ?? '';
    const operator = expression.text('operator') ?? '';
    const values = expression.texts('values');
    expression.end();
    return conditionOf(key, expression.path, (variable) => requirement(variable, operator, values));
  });
  selector.end();
  return [...labels, ...expressions];
}

/** As in Kubernetes, what is not there is in no list. */
function requirement(variable: Variable, operator: string, values: readonly string[]): string {
  const isIn = whereThere(variable, `${textOf(variable)} in ${JSON.stringify(values)}`);
  const isThere = presence(variable) ?? 'true';
  switch (operator) {
    case 'In':
      return isIn;
    case 'NotIn':
      return `!(${isIn})`;
    case 'Exists':
      return isThere;
    default:
      return `!(${isThere})`;
  }
}

function whereThere(variable: Variable, condition: string): string {
  const isThere = presence(variable);
  return isThere === undefined ? condition : `${isThere} && ${condition}`;
}

/** A test that the last step is there; undefined for what every cluster has. */
function presence(variable: Variable): string | undefined {
  const key = variable.at(-1);
  if (typeof key !== 'string' || variable.join('.') === 'cluster.name') return undefined;
  return `${JSON.stringify(key)} in ${celVariable(variable.slice(0, -1))}`;
}

/** A selector compares texts, and an item's value may be true or a number. */
function textOf(variable: Variable): string {
  return variable[0] === 'item' ? `string(${celVariable(variable)})` : celVariable(variable);
}
