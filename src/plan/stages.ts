import { compareRefs, groupKindOf, type ObjectRef } from '../model/object-ref.ts';
import type { PlannedWrite } from '../model/plan.ts';

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

/** Writes and deletions in the order in which they are done: deletions come last, the other way round. */
export function inStages(
  writes: readonly PlannedWrite[],
  deletions: readonly PlannedWrite[],
): PlannedWrite[][] {
  const stages = Array.from({ length: stageCount * 2 }, (): PlannedWrite[] => []);
  for (const write of writes) stages[stageOf(refOf(write))]?.push(write);
  for (const deletion of deletions) stages[stageCount * 2 - 1 - stageOf(refOf(deletion))]?.push(deletion);
  for (const stage of stages) stage.sort((a, b) => compareForCreation(refOf(a), refOf(b)));
  return stages.filter((stage) => stage.length > 0);
}

function refOf(write: PlannedWrite): ObjectRef {
  return write.action === 'delete' ? write.owned.ref : write.object.ref;
}
