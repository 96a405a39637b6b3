import { arrayAt, isJsonObject, type JsonObject, jsonEqual, objectAt, stringAt, valueAt } from '../../../model/json.ts';
import { podStatus, type PodStatusOptions } from './pod-status.ts';

/** What a node does next for one Pod. */
export type PodStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'bind' }
  | { readonly kind: 'report'; readonly status: JsonObject }
  | { readonly kind: 'wait'; readonly againInMs: number }
  | { readonly kind: 'finishDeletion' };

export interface PodStepOptions extends PodStatusOptions {
  readonly nodeName: string;
  readonly nodeLabels: Readonly<Record<string, string>>;
}

const nothing: PodStep = { kind: 'none' };

/**
 * The next step on a Pod's way, as the scheduler and a kubelet would take it: bound, running and ready, or stuck on
 * its image; those of a Job succeed after a while; deleted ones go. A Pod on which nothing is to be done gives 'none'.
 */
export function nextPodStep(pod: JsonObject, options: PodStepOptions): PodStep {
  const deleting = stringAt(pod, 'metadata', 'deletionTimestamp') !== undefined;
  const nodeName = stringAt(pod, 'spec', 'nodeName') ?? '';
  if (nodeName === '') return deleting ? nothing : scheduleStep(pod, options);
  if (nodeName !== options.nodeName) return nothing;
  if (deleting) return valueAt(pod, 'metadata', 'deletionGracePeriodSeconds') === 0 ? nothing : { kind: 'finishDeletion' };
  return isOver(pod) ? nothing : runStep(pod, options);
}

function scheduleStep(pod: JsonObject, { nodeLabels, now }: PodStepOptions): PodStep {
  if (arrayAt(pod, 'spec', 'schedulingGates').length > 0) return nothing;
  if (stringAt(pod, 'spec', 'schedulerName') !== 'default-scheduler') return nothing;
  const wanted = Object.entries(objectAt(pod, 'spec', 'nodeSelector'));
  if (wanted.every(([key, value]) => nodeLabels[key] === value)) return { kind: 'bind' };
  if (arrayAt(pod, 'status', 'conditions').some((item) => stringAt(item, 'reason') === 'Unschedulable')) return nothing;
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message: '0/1 nodes are available: 1 node(s) did not match the node selector.',
    lastTransitionTime: `${now.toISOString().slice(0, 19)}Z`,
  };
  return { kind: 'report', status: { conditions: [condition] } };
}

function runStep(pod: JsonObject, options: PodStepOptions): PodStep {
  const { status, againInMs } = podStatus(pod, options);
  if (!saysAlready(objectAt(pod, 'status'), status)) return { kind: 'report', status };
  return againInMs === undefined ? nothing : { kind: 'wait', againInMs };
}

function isOver(pod: JsonObject): boolean {
  return ['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase') ?? '');
}

/** Whether a live status tells the same but for times, so that writing it again would be noise. */
function saysAlready(live: JsonObject, wanted: JsonObject): boolean {
  return jsonEqual(gist(live), gist(wanted));
}

function gist(status: JsonObject): JsonObject {
  const containers = [...arrayAt(status, 'initContainerStatuses'), ...arrayAt(status, 'containerStatuses')];
  return {
    phase: status['phase'] ?? null,
    ready: arrayAt(status, 'conditions').some((item) => stringAt(item, 'type') === 'Ready' && stringAt(item, 'status') === 'True'),
    containers: containers.filter(isJsonObject).map((container) => ({
      name: container['name'] ?? null,
      image: container['image'] ?? null,
      ready: container['ready'] ?? null,
      state: Object.keys(objectAt(container, 'state')),
    })),
  };
}
