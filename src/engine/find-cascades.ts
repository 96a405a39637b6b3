import { discover, type Discovery } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { objectsInNamespace, objectsOfDefinition } from '../observe/find-cascade.ts';
import { toFleetError } from '../model/fleet-error.ts';
import type { OwnedObject } from '../model/observation.ts';
import { groupKindOf, type ObjectRef, refKey } from '../model/object-ref.ts';
import type { Cascade } from '../plan/prune/guard.ts';

export interface CascadeTask {
  readonly client: KubeClient;
  readonly candidates: readonly OwnedObject[];
  readonly signal: AbortSignal;
}

/** For each Namespace and CustomResourceDefinition that might be pruned: what would go with it, by its key. */
export async function findCascades({ candidates, ...task }: CascadeTask): Promise<Map<string, Cascade>> {
  const holders = candidates.flatMap((candidate) => {
    const find = candidate.deleting ? undefined : finderOf(candidate.ref);
    return find === undefined ? [] : [{ key: refKey(candidate.ref), find }];
  });
  if (holders.length === 0) return new Map();
  // Kinds that came since the last look would be overlooked, and with them whatever is of them.
  const discovery = discover(task.client, task.signal);
  const cascades = await Promise.all(
    holders.map(async ({ key, find }): Promise<[string, Cascade]> => {
      try {
        return [key, { state: 'known', contents: await find({ ...task, discovery: await discovery }) }];
      } catch (thrown) {
        return [key, { state: 'unreadable', error: toFleetError(thrown) }];
      }
    }),
  );
  return new Map(cascades);
}

type Find = (
  options: Omit<CascadeTask, 'candidates'> & { readonly discovery: Discovery },
) => Promise<ObjectRef[]>;

function finderOf(ref: ObjectRef): Find | undefined {
  switch (groupKindOf(ref)) {
    case 'Namespace':
      return (options) => objectsInNamespace(ref.name, options);
    case 'CustomResourceDefinition.apiextensions.k8s.io':
      return (options) => objectsOfDefinition(ref.name, options);
    default:
      return undefined;
  }
}
