import { arrayAt, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../../../model/json.ts';

export interface PodStatusOptions {
  readonly now: Date;
  readonly podIp: string;
  readonly hostIp: string;
  /** How long a Pod of a Job runs before it succeeds. */
  readonly jobDurationMs: number;
}

/** The status that a kubelet would report now, and when it would report another one. */
export interface PodReport {
  readonly status: JsonObject;
  readonly againInMs?: number;
}

type ContainerState = 'running' | 'completed' | 'notPulled' | 'initializing';

/** Images that no registry has: a container of one never starts. */
export function isMissingImage(image: string): boolean {
  return /missing|does-not-exist/.test(image);
}

/** The status of a Pod that is bound to the node, is not being deleted and has not ended. */
export function podStatus(pod: JsonObject, options: PodStatusOptions): PodReport {
  const init = arrayAt(pod, 'spec', 'initContainers').filter(isJsonObject);
  const main = arrayAt(pod, 'spec', 'containers').filter(isJsonObject);
  const stuck = init.some((container) => isMissingImage(imageOf(container)));
  const remainingMs = remainingJobMs(pod, options);
  const done = remainingMs !== undefined && remainingMs <= 0;

  const mainState = (container: JsonObject): ContainerState =>
    stuck ? 'initializing' : isMissingImage(imageOf(container)) ? 'notPulled' : done ? 'completed' : 'running';
  const initState = (container: JsonObject): ContainerState =>
    isMissingImage(imageOf(container)) ? 'notPulled' : container['restartPolicy'] === 'Always' && !done ? 'running' : 'completed';

  const states = main.map(mainState);
  const pending = states.includes('initializing') || states.includes('notPulled');
  const phase = pending ? 'Pending' : done ? 'Succeeded' : 'Running';
  const status = {
    phase,
    hostIP: options.hostIp,
    podIP: options.podIp,
    podIPs: [{ ip: options.podIp }],
    startTime: stringAt(pod, 'status', 'startTime') ?? formatTime(options.now),
    conditions: conditions(pod, { initialized: !stuck, running: phase === 'Running', over: phase === 'Succeeded' }, options),
    containerStatuses: main.map((container) => containerStatus(container, mainState(container), options)),
    ...(init.length === 0
      ? {}
      : { initContainerStatuses: init.map((container) => containerStatus(container, initState(container), options)) }),
  };
  return phase === 'Running' && remainingMs !== undefined ? { status, againInMs: remainingMs } : { status };
}

/** Undefined for a Pod that is of no Job. A Pod is seen running before it is over. */
function remainingJobMs(pod: JsonObject, { now, jobDurationMs }: PodStatusOptions): number | undefined {
  const ofJob = arrayAt(pod, 'metadata', 'ownerReferences').some((owner) => stringAt(owner, 'kind') === 'Job');
  if (!ofJob) return undefined;
  const startTime = stringAt(pod, 'status', 'startTime');
  if (startTime === undefined || stringAt(pod, 'status', 'phase') !== 'Running') return jobDurationMs;
  return Date.parse(startTime) + jobDurationMs - now.getTime();
}

interface Progress {
  readonly initialized: boolean;
  readonly running: boolean;
  readonly over: boolean;
}

function conditions(pod: JsonObject, { initialized, running, over }: Progress, { now }: PodStatusOptions): JsonObject[] {
  const gatesOpen = arrayAt(pod, 'spec', 'readinessGates').every((gate) => isTrue(pod, stringAt(gate, 'conditionType') ?? ''));
  const notReady = over ? { reason: 'PodCompleted' } : { reason: 'ContainersNotReady' };
  const condition = (type: string, holds: boolean, why: JsonObject = notReady): JsonObject => ({
    type,
    status: holds ? 'True' : 'False',
    lastTransitionTime: formatTime(now),
    ...(holds ? {} : why),
  });
  return [
    condition('PodReadyToStartContainers', !over),
    condition('Initialized', initialized, { reason: 'ContainersNotInitialized' }),
    condition('ContainersReady', running),
    condition('Ready', running && gatesOpen, running ? { reason: 'ReadinessGatesNotReady' } : notReady),
    condition('PodScheduled', true),
  ];
}

function isTrue(pod: JsonObject, type: string): boolean {
  return arrayAt(pod, 'status', 'conditions').some((item) => stringAt(item, 'type') === type && stringAt(item, 'status') === 'True');
}

function containerStatus(container: JsonObject, state: ContainerState, { now }: PodStatusOptions): JsonObject {
  const image = imageOf(container);
  const pulled = state === 'running' || state === 'completed';
  return {
    name: container['name'] ?? '',
    image,
    imageID: pulled ? `docker.io/simulated/${image}` : '',
    ready: state === 'running' || state === 'completed',
    started: state === 'running',
    restartCount: 0,
    state: containerState(state, image, formatTime(now)),
  };
}

function containerState(state: ContainerState, image: string, time: string): JsonObject {
  switch (state) {
    case 'running':
      return { running: { startedAt: time } };
    case 'completed':
      return { terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time } };
    case 'notPulled':
      return { waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` } };
    case 'initializing':
      return { waiting: { reason: 'PodInitializing' } };
  }
}

function imageOf(container: JsonObject): string {
  return stringAt(container, 'image') ?? '';
}

/** As the API server keeps times: to the second. */
function formatTime(time: Date): JsonValue & string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
