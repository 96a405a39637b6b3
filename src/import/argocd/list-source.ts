import type { JsonObject } from '../../model/json.ts';
import type { ParameterSource } from '../template/scope.ts';
import { type Variable, variablePart } from '../template/template.ts';

/** The elements of a list as parameters: each is `item`. */
export function listSource(elements: readonly JsonObject[]): ParameterSource {
  return {
    isOpen: false,
    resolve(path) {
      const variable = variableOf(elements, path);
      return variable && { ok: true, template: [variablePart(variable)] };
    },
  };
}

function variableOf(
  elements: readonly JsonObject[],
  path: readonly (string | number)[],
): Variable | undefined {
  // A key may hold dots: people write 'values.redis' to set one of the values.
  const whole = path.join('.');
  if (elements.some((element) => Object.hasOwn(element, whole))) return ['item', whole];
  return elements.some((element) => hasPath(element, path)) ? ['item', ...path] : undefined;
}

function hasPath(value: unknown, path: readonly (string | number)[]): boolean {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return false;
    current = Reflect.get(current, step);
  }
  return path.length > 0;
}
