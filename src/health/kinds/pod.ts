import { degraded, type Health, healthy, progressing } from '../../model/health.ts';
import { arrayAt, type JsonObject, type JsonValue, stringAt, valueAt } from '../../model/json.ts';
import { conditionOf, explain, isTrue } from '../conditions.ts';
import { numberAt } from '../numbers.ts';

/** What a container waits for that does not pass by itself. Source: pkg/kubelet, reasons of ContainerStateWaiting. */
const stuck = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'RunContainerError',
]);

/** Source: core/v1 PodStatus, and the reasons that kubelet and scheduler write. */
export function podHealth(live: JsonObject): Health {
  const phase = stringAt(live, 'status', 'phase') ?? 'Pending';
  if (phase === 'Succeeded') return healthy;
  if (phase === 'Failed') return degraded(failureOf(live));
  const scheduled = conditionOf(live, 'PodScheduled');
  if (scheduled?.status === 'False') {
    return scheduled.reason === 'Unschedulable'
      ? degraded(explain(scheduled))
      : progressing(explain(scheduled));
  }
  const waiting = containersOf(live).flatMap(waitingReason);
  const [fault] = waiting.filter(({ reason }) => stuck.has(reason));
  if (fault !== undefined) return degraded(fault.text);
  if (isTrue(live, 'Ready')) return healthy;
  const [first] = waiting;
  if (first !== undefined) return progressing(first.text);
  const ready = conditionOf(live, 'Ready');
  return progressing(ready === undefined ? `it is ${phase}` : explain(ready));
}

function containersOf(live: JsonObject): readonly JsonValue[] {
  return ['initContainerStatuses', 'containerStatuses'].flatMap((key) => arrayAt(live, 'status', key));
}

function waitingReason(container: JsonValue): { readonly reason: string; readonly text: string }[] {
  const reason = stringAt(container, 'state', 'waiting', 'reason');
  if (reason === undefined) return [];
  const parts = [reason, stringAt(container, 'state', 'waiting', 'message'), lastExit(container)];
  const text = parts.filter((part) => part !== undefined && part !== '').join(': ');
  return [{ reason, text: `container ${stringAt(container, 'name') ?? ''}: ${text}` }];
}

/** Why it crashed the last time tells more than that it crashes. */
function lastExit(container: JsonValue): string | undefined {
  const code = valueAt(container, 'lastState', 'terminated', 'exitCode');
  if (typeof code !== 'number') return undefined;
  const restarts = numberAt(container, ['restartCount']);
  return `${exitOf(valueAt(container, 'lastState', 'terminated'))}, ${restarts} restarts`;
}

function exitOf(terminated: unknown): string {
  const reason = stringAt(terminated, 'reason') ?? 'Error';
  return `${reason}, exit code ${numberAt(terminated, ['exitCode'])}`;
}

function failureOf(live: JsonObject): string {
  const container = containersOf(live).find(
    (status) => numberAt(status, ['state', 'terminated', 'exitCode']) !== 0,
  );
  if (container !== undefined)
    return `container ${stringAt(container, 'name') ?? ''}: ${exitOf(valueAt(container, 'state', 'terminated'))}`;
  const told = [stringAt(live, 'status', 'reason'), stringAt(live, 'status', 'message')];
  return told.filter((part) => part !== undefined && part !== '').join(': ') || 'it failed';
}
