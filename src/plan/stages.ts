import { compareRefs, groupKindOf, type ObjectRef } from '../model/object-ref.ts';
import type { PlannedWrite, PreparedObject } from '../model/plan.ts';
import { needsOf } from './order/needs.ts';

/** Kinds that others cannot exist without, configuration that workloads read, and what must not act too early. */
const stageOfKind: ReadonlyMap<string, number> = new Map(
  Object.entries({
    'CustomResourceDefinition.apiextensions.k8s.io': 0,
    Namespace: 0,
    'PriorityClass.scheduling.k8s.io': 0,
    'StorageClass.storage.k8s.io': 0,
    'RuntimeClass.node.k8s.io': 0,
    'IngressClass.networking.k8s.io': 0,
    ResourceQuota: 1,
    LimitRange: 1,
    ServiceAccount: 1,
    Secret: 1,
    ConfigMap: 1,
    'ClusterRole.rbac.authorization.k8s.io': 1,
    'ClusterRoleBinding.rbac.authorization.k8s.io': 1,
    'Role.rbac.authorization.k8s.io': 1,
    'RoleBinding.rbac.authorization.k8s.io': 1,
    'NetworkPolicy.networking.k8s.io': 1,
    PersistentVolume: 1,
    PersistentVolumeClaim: 1,
    Service: 1,
    Pod: 2,
    ReplicationController: 2,
    'Deployment.apps': 2,
    'StatefulSet.apps': 2,
    'DaemonSet.apps': 2,
    'ReplicaSet.apps': 2,
    'Job.batch': 2,
    'CronJob.batch': 2,
    'ValidatingWebhookConfiguration.admissionregistration.k8s.io': 4,
    'MutatingWebhookConfiguration.admissionregistration.k8s.io': 4,
    'ValidatingAdmissionPolicy.admissionregistration.k8s.io': 4,
    'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io': 4,
    'MutatingAdmissionPolicy.admissionregistration.k8s.io': 4,
    'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io': 4,
    'APIService.apiregistration.k8s.io': 4,
  }),
);

/** Where kinds not listed go: custom resources, Ingresses and all else come after the workloads that serve them. */
const otherStage = 3;
export const stageCount = 5;

/** The stage in which objects of a kind are applied; lower comes first. */
export function stageOf(ref: Pick<ObjectRef, 'apiVersion' | 'kind'>): number {
  return stageOfKind.get(groupKindOf(ref)) ?? otherStage;
}

/** The order of creation: by stage, then the total order of refs. Deletion goes the other way. */
export function compareForCreation(a: ObjectRef, b: ObjectRef): number {
  return stageOf(a) - stageOf(b) || compareRefs(a, b);
}

/**
 * Writes and deletions in the order in which they are done: what others need comes before them, whatever their kinds;
 * deletions come last, the other way round.
 */
export function inStages(
  writes: readonly PlannedWrite[],
  deletions: readonly PlannedWrite[],
): PlannedWrite[][] {
  const places = placesOf(writes.flatMap((write) => (write.action === 'delete' ? [] : [write.object])));
  const stages = Map.groupBy([...writes, ...deletions], (write) => {
    if (write.action === 'delete') return lastPlace - stageOf(write.owned.ref);
    return places.get(write.object.key) ?? stageOf(write.object.ref);
  });
  return [...stages]
    .sort(([a], [b]) => a - b)
    .map(([, stage]) => stage.sort((a, b) => compareForCreation(refOf(a), refOf(b))));
}

/** Deletions come after every write, however long the chains of dependencies are. */
const lastPlace = 1_000_000;
/** How many links of a chain fit between two stages: more than a cluster has objects. */
const linksPerStage = 1 / 65_536;

/**
 * Where each write comes: the stage of its kind, or right behind what it needs where that comes later. There are no
 * circles; see linkObjects.
 */
function placesOf(objects: readonly PreparedObject[]): Map<string, number> {
  const places = new Map<string, number>();
  if (objects.every(({ dependsOn }) => dependsOn.length === 0)) return places;
  const needs = needsOf(objects);
  const byKey = new Map(objects.map((object) => [object.key, object]));
  // Depth first without recursion: an object is placed when all that it needs has been.
  for (const open = [...objects]; open.length > 0;) {
    const object = open.at(-1);
    if (object === undefined || places.has(object.key)) {
      open.pop();
      continue;
    }
    const needed = needs(object).flatMap((key) => byKey.get(key) ?? []);
    const unplaced = needed.filter(({ key }) => !places.has(key));
    if (unplaced.length > 0) open.push(...unplaced);
    else
      places.set(
        object.key,
        Math.max(stageOf(object.ref), ...needed.map(({ key }) => after(places.get(key)))),
      );
  }
  return places;
}

function after(place = 0): number {
  return place + linksPerStage;
}

function refOf(write: PlannedWrite): ObjectRef {
  return write.action === 'delete' ? write.owned.ref : write.object.ref;
}
