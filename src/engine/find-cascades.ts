import { type Discovery } from '../kube/discovery.ts';
import { type KubeClient } from '../kube/kube-client.ts';
import { objectsInNamespace, objectsOfDefinition } from '../observe/find-cascade.ts';
import { toFleetError } from '../model/fleet-error.ts';
import { type OwnedObject } from '../model/observation.ts';
import { groupKindOf, type ObjectRef, refKey } from '../model/object-ref.ts';
import { type Cascade } from '../plan/prune/guard.ts';

export interface CascadeTask {
  readonly client: KubeClient;
  readonly discovery: Discovery;
  readonly candidates: readonly OwnedObject[];
  readonly signal: AbortSignal;
}

/** For each Namespace and CustomResourceDefinition that might be pruned: what else would go with it, by its key. */
export async function findCascades({ candidates, ...task }: CascadeTask): Promise<Map<string, Cascade>> {
  const removed = new Set(candidates.map((candidate) => refKey(candidate.ref)));
  const cascades = new Map<string, Cascade>();
  await Promise.all(
    candidates.map(async ({ ref }) => {
      const find = finderOf(ref);
      if (find === undefined) return;
      try {
        cascades.set(refKey(ref), { state: 'known', others: await find({ ...task, removed }) });
      } catch (thrown) {
        cascades.set(refKey(ref), { state: 'unreadable', error: toFleetError(thrown) });
      }
    }),
  );
  return cascades;
}

type Find = (options: Parameters<typeof objectsInNamespace>[1]) => Promise<ObjectRef[]>;

function finderOf(ref: ObjectRef): Find | undefined {
  switch (groupKindOf(ref)) {
    case 'Namespace':
      return (options) => objectsInNamespace(ref.name, options);
    case 'CustomResourceDefinition.apiextensions.k8s.io':
      return (options) => {
        // A definition is named '<plural>.<group>'; the kind is what discovery says of that plural.
        const [plural = '', ...group] = ref.name.split('.');
        const resource = options.discovery
          .all()
          .find((entry) => entry.plural === plural && entry.apiVersion.startsWith(`${group.join('.')}/`));
        return resource === undefined
          ? Promise.resolve([])
          : objectsOfDefinition(groupKindOf(resource), options);
      };
    default:
      return undefined;
  }
}
