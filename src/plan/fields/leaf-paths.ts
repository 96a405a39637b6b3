import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';
import { type PathElement, stepInto } from '../../model/managed-fields.ts';

/** Keys of annotations that tools write for themselves when they touch an object. */
const toolAnnotations = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'kubectl.kubernetes.io/restartedAt',
]);

/** The leaves of a field set with their values in the object; what the object no longer has is left out. */
export function leafPaths(
  set: JsonObject,
  object: JsonObject | JsonValue[],
): { path: PathElement[]; live: JsonValue }[] {
  return Object.entries(set).flatMap(([key, below]) => {
    if (key === '.' || !isJsonObject(below)) return [];
    const step = stepInto(object, key);
    if (step === undefined || ('field' in step.element && toolAnnotations.has(step.element.field))) return [];
    const isLeaf = Object.keys(below).length === 0;
    if (isLeaf || typeof step.value !== 'object' || step.value === null) {
      return [{ path: [step.element], live: step.value }];
    }
    // '.' alone claims that a map or list is there, not what others put into it.
    if (Object.keys(below).every((name) => name === '.')) {
      return isEmpty(step.value) ? [{ path: [step.element], live: step.value }] : [];
    }
    return leafPaths(below, step.value).map((leaf) => ({ ...leaf, path: [step.element, ...leaf.path] }));
  });
}

function isEmpty(value: JsonObject | JsonValue[]): boolean {
  return Object.keys(value).length === 0;
}
