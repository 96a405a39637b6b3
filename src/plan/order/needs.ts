import { groupKindOf } from '../../model/object-ref.ts';
import type { PreparedObject } from '../../model/plan.ts';
import { definedKinds, isDefinition } from '../definitions.ts';

/** Keys of what objects cannot exist without, among the objects themselves. */
export type Needs = (object: PreparedObject) => readonly string[];

/** The Namespace that an object lives in, the definition of its kind, and what it says that it depends on. */
export function needsOf(objects: readonly PreparedObject[]): Needs {
  const namespaces = new Map<string, string>();
  const definitions = new Map<string, string>();
  for (const { ref, key, body } of objects) {
    if (groupKindOf(ref) === 'Namespace') namespaces.set(ref.name, key);
    if (!isDefinition(ref)) continue;
    for (const kind of definedKinds([{ ref, manifest: body }])) definitions.set(groupKindOf(kind), key);
  }
  return ({ ref, dependsOn }) => {
    const implied = [namespaces.get(ref.namespace), definitions.get(groupKindOf(ref))];
    return [...dependsOn, ...implied.filter((key) => key !== undefined)];
  };
}
