import { type JsonObject, stringAt } from '../../../model/json.ts';
import type { ApiRequest, NodeApi } from './node-api.ts';
import { nextPodStep, type PodStep } from './pod-step.ts';

/** Brings each Pod that it is shown further on its way, one step at a time. */
export interface PodKeeper {
  observe(pod: JsonObject): void;
  forget(pod: JsonObject): void;
  /** These are all Pods that there are: others, seen before, are forgotten. */
  observeAll(pods: readonly JsonObject[]): void;
  /** Resolves when no request is under way. */
  idle(): Promise<void>;
}

export interface PodKeeperOptions {
  readonly nodeName: string;
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly hostIp: string;
  readonly jobDurationMs: number;
  readonly signal: AbortSignal;
}

interface KeptPod {
  latest: JsonObject;
  readonly podIp: string;
  /** The step under way. While there is one, observations only replace `latest`. */
  work: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
}

type Outcome = 'done' | 'retry';

const retryMs = 500;

export function createPodKeeper(api: NodeApi, options: PodKeeperOptions): PodKeeper {
  const kept = new Map<string, KeptPod>();
  let addresses = 0;

  const advance = (pod: KeptPod): void => {
    if (options.signal.aborted || pod.work !== undefined) return;
    clearTimeout(pod.timer);
    const seen = pod.latest;
    const step = nextPodStep(seen, { ...options, podIp: stringAt(seen, 'status', 'podIP') ?? pod.podIp, now: new Date() });
    if (step.kind === 'none') return;
    if (step.kind === 'wait') {
      later(pod, step.againInMs);
      return;
    }
    pod.work = take(api, requestFor(step, seen, options.nodeName), options.signal).then((outcome) => {
      pod.work = undefined;
      if (outcome === 'retry') later(pod, retryMs);
      else if (pod.latest !== seen) advance(pod);
    });
  };

  const later = (pod: KeptPod, delayMs: number): void => {
    if (options.signal.aborted) return;
    pod.timer = setTimeout(() => {
      advance(pod);
    }, delayMs);
  };

  options.signal.addEventListener('abort', () => {
    for (const pod of kept.values()) clearTimeout(pod.timer);
  });

  const observe = (pod: JsonObject): void => {
    let entry = kept.get(uidOf(pod));
    if (entry === undefined) {
      addresses += 1;
      entry = { latest: pod, podIp: formatPodIp(addresses), work: undefined, timer: undefined };
      kept.set(uidOf(pod), entry);
    }
    entry.latest = pod;
    advance(entry);
  };

  const forget = (uid: string): void => {
    clearTimeout(kept.get(uid)?.timer);
    kept.delete(uid);
  };

  return {
    observe,
    forget: (pod) => {
      forget(uidOf(pod));
    },
    observeAll(pods) {
      const present = new Set(pods.map(uidOf));
      for (const uid of kept.keys()) if (!present.has(uid)) forget(uid);
      for (const pod of pods) observe(pod);
    },
    async idle() {
      for (const pod of kept.values()) await pod.work;
    },
  };
}

type ActiveStep = Exclude<PodStep, { kind: 'none' | 'wait' }>;

function requestFor(step: ActiveStep, pod: JsonObject, nodeName: string): ApiRequest {
  const name = stringAt(pod, 'metadata', 'name') ?? '';
  const path = `/api/v1/namespaces/${stringAt(pod, 'metadata', 'namespace') ?? ''}/pods/${name}`;
  const uid = uidOf(pod);
  switch (step.kind) {
    case 'bind':
      return {
        method: 'POST',
        path: `${path}/binding`,
        body: { apiVersion: 'v1', kind: 'Binding', metadata: { name, uid }, target: { kind: 'Node', name: nodeName } },
      };
    case 'report':
      return {
        method: 'PATCH',
        path: `${path}/status`,
        // The uid makes it a conflict where a new Pod has taken the name.
        body: { metadata: { uid }, status: step.status },
        contentType: 'application/strategic-merge-patch+json',
      };
    case 'finishDeletion':
      return {
        method: 'DELETE',
        path,
        body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions: { uid } },
      };
  }
}

/** A Pod that is gone or has changed meanwhile needs no retry: its next event brings the next step. */
async function take(api: NodeApi, request: ApiRequest, signal: AbortSignal): Promise<Outcome> {
  try {
    const { status } = await api.send(request, signal);
    return status < 300 || status === 404 || status === 409 ? 'done' : 'retry';
  } catch {
    return 'retry';
  }
}

function uidOf(pod: JsonObject): string {
  return stringAt(pod, 'metadata', 'uid') ?? '';
}

/** Distinct for 65,000 Pods, then again from the start. */
function formatPodIp(count: number): string {
  return `10.244.${Math.floor(count / 254) % 256}.${(count % 254) + 1}`;
}
