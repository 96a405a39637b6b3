import { type Health, progressing } from '../model/health.ts';
import { arrayAt, type JsonObject, stringAt, valueAt } from '../model/json.ts';
import { groupKindOf } from '../model/object-ref.ts';
import { conditionOf } from './conditions.ts';
import type { HealthRule } from './health-rule.ts';
import { apiServiceHealth } from './kinds/api-service.ts';
import { healthByConditions } from './kinds/by-conditions.ts';
import { cronJobHealth } from './kinds/cron-job.ts';
import { customResourceDefinitionHealth } from './kinds/custom-resource-definition.ts';
import { daemonSetHealth } from './kinds/daemon-set.ts';
import { deploymentHealth } from './kinds/deployment.ts';
import { horizontalPodAutoscalerHealth } from './kinds/horizontal-pod-autoscaler.ts';
import { jobHealth } from './kinds/job.ts';
import { addressHealth, serviceHealth } from './kinds/load-balancer.ts';
import { persistentVolumeClaimHealth } from './kinds/persistent-volume-claim.ts';
import { podDisruptionBudgetHealth } from './kinds/pod-disruption-budget.ts';
import { podHealth } from './kinds/pod.ts';
import { replicaSetHealth } from './kinds/replica-set.ts';
import { statefulSetHealth } from './kinds/stateful-set.ts';

/** To add a kind, write a rule in kinds/ and name it here. */
const rules: ReadonlyMap<string, HealthRule> = new Map([
  ['APIService.apiregistration.k8s.io', apiServiceHealth],
  ['CronJob.batch', cronJobHealth],
  ['CustomResourceDefinition.apiextensions.k8s.io', customResourceDefinitionHealth],
  ['DaemonSet.apps', daemonSetHealth],
  ['Deployment.apps', deploymentHealth],
  ['HorizontalPodAutoscaler.autoscaling', horizontalPodAutoscalerHealth],
  ['Ingress.networking.k8s.io', addressHealth],
  ['Job.batch', jobHealth],
  ['PersistentVolumeClaim', persistentVolumeClaimHealth],
  ['Pod', podHealth],
  ['PodDisruptionBudget.policy', podDisruptionBudgetHealth],
  ['ReplicaSet.apps', replicaSetHealth],
  ['ReplicationController', replicaSetHealth],
  ['Service', serviceHealth],
  ['StatefulSet.apps', statefulSetHealth],
]);

/**
 * The health of a live object, read whole. Total: what a controller has not written yet is progressing.
 * @param custom rules of the settings by group and kind, such as 'Widget.example.com'; they come before ours.
 */
export function healthOf(live: JsonObject, custom: ReadonlyMap<string, HealthRule> = new Map()): Health {
  const deletedAt = stringAt(live, 'metadata', 'deletionTimestamp');
  if (deletedAt !== undefined) return progressing(leaving(live, deletedAt));
  const seen = valueAt(live, 'status', 'observedGeneration');
  const generation = valueAt(live, 'metadata', 'generation');
  if (typeof seen === 'number' && typeof generation === 'number' && seen < generation)
    return progressing(`its controller has seen generation ${seen} of ${generation}`);
  const kind = kindOf(live);
  const rule = custom.get(kind) ?? rules.get(kind) ?? healthByConditions;
  if (controlled.has(kind) && seen === undefined) return progressing('no controller has seen it yet');
  return rule(live);
}

/** Kinds whose controller always tells which generation it has seen, so that silence means that none has looked. */
const controlled = new Set(['DaemonSet.apps', 'Deployment.apps', 'ReplicaSet.apps', 'StatefulSet.apps']);

/** Whether the health of a kind can be other than by being there, as far as is known without an object. */
export function hasHealth(groupKind: string): boolean {
  return rules.has(groupKind);
}

function kindOf(live: JsonObject): string {
  return groupKindOf({ apiVersion: stringAt(live, 'apiVersion') ?? '', kind: stringAt(live, 'kind') ?? '' });
}

/** What a Namespace that is being emptied says of what is left in it. Source: core/v1 NamespaceConditionType. */
const whatIsLeft = [
  'NamespaceDeletionDiscoveryFailure',
  'NamespaceDeletionGroupVersionParsingFailure',
  'NamespaceDeletionContentFailure',
  'NamespaceFinalizersRemaining',
  'NamespaceContentRemaining',
];

function leaving(live: JsonObject, since: string): string {
  const told = whatIsLeft.flatMap((type) => {
    const condition = conditionOf(live, type);
    return condition?.status === 'True' ? [condition.message] : [];
  });
  const finalizers = arrayAt(live, 'metadata', 'finalizers').map(String);
  if (finalizers.length > 0) told.push(`finalizers: ${finalizers.join(', ')}`);
  return [`it is being deleted since ${since}`, ...told].join('; ');
}
