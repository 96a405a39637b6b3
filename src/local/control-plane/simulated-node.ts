import { setTimeout as sleep } from 'node:timers/promises';
import { FleetError } from '../../model/fleet-error.ts';
import { arrayAt, isJsonObject, type JsonObject, stringAt } from '../../model/json.ts';
import type { ControlPlane } from './start-control-plane.ts';
import { type ApiRequest, connectNodeApi, type NodeApi } from './simulated-node/node-api.ts';
import { nodeLabels, nodeObject, nodeStatus } from './simulated-node/node-object.ts';
import { createPodKeeper, type PodKeeper } from './simulated-node/pod-keeper.ts';

/** The user as which the node acts; an audit log tells its requests from others' by it. */
export const nodeUser = 'system:node-simulator';

export interface SimulatedNode {
  readonly name: string;
  stop(): Promise<void>;
}

export interface SimulatedNodeOptions {
  /** 'node-1' unless given. */
  readonly name?: string;
  /** How long Pods of Jobs run; 1,000 unless given. */
  readonly jobDurationMs?: number;
}

const hostIp = '10.0.1.1';
const credentialsLifetimeMs = 365 * 24 * 3600 * 1000;
const retryMs = 300;

/**
 * Plays scheduler and kubelet of one node that runs nothing: Pods become ready at once, those of Jobs succeed after a
 * while, an image whose name says `missing` or `does-not-exist` is never pulled, deleted Pods go at once. It makes no
 * request at rest but a watch, and outlives stops of the API server.
 * Resolves when the node is registered.
 */
export async function startSimulatedNode(
  controlPlane: Pick<ControlPlane, 'url' | 'ca' | 'issueCredentials'>,
  options: SimulatedNodeOptions = {},
): Promise<SimulatedNode> {
  const name = options.name ?? 'node-1';
  const credentials = await controlPlane.issueCredentials(nodeUser, ['system:masters'], credentialsLifetimeMs);
  const api = connectNodeApi(controlPlane.url, { ca: controlPlane.ca, credentials });
  const stopped = new AbortController();
  try {
    await register(api, name, stopped.signal);
  } catch (error) {
    await api.close();
    throw error;
  }
  const keeper = createPodKeeper(api, {
    nodeName: name,
    nodeLabels: nodeLabels(name),
    hostIp,
    jobDurationMs: options.jobDurationMs ?? 1_000,
    signal: stopped.signal,
  });
  const following = followPods(api, keeper, stopped.signal);
  return {
    name,
    async stop() {
      stopped.abort();
      await following;
      await keeper.idle();
      await api.close();
    },
  };
}

/** Creates the Node, or takes over the one of an earlier start. */
async function register(api: NodeApi, name: string, signal: AbortSignal): Promise<void> {
  const path = `/api/v1/nodes/${name}`;
  const patch = { method: 'PATCH', contentType: 'application/strategic-merge-patch+json' } as const;
  await mustSucceed(api, { method: 'POST', path: '/api/v1/nodes', body: nodeObject(name) }, signal);
  await mustSucceed(api, { ...patch, path: `${path}/status`, body: { status: nodeStatus(name, hostIp, new Date()) } }, signal);
  // Admission taints a new node as not ready, and the controller that would lift it waits for heartbeats.
  await mustSucceed(api, { ...patch, path, body: { spec: { taints: null } } }, signal);
}

async function mustSucceed(api: NodeApi, request: ApiRequest, signal: AbortSignal): Promise<void> {
  const { status, body } = await api.send(request, signal);
  if (status < 300 || status === 409) return;
  throw new FleetError('DependencyFailed', `cannot register the node: ${stringAt(body, 'message') ?? `status ${status}`}`);
}

/** List, then watch from there, for ever; from the list again after any fault. */
async function followPods(api: NodeApi, keeper: PodKeeper, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      let resourceVersion = await listPods(api, keeper, signal);
      while (resourceVersion !== undefined) {
        resourceVersion = await watchPods(api, keeper, { resourceVersion, signal });
      }
    } catch {
      // The API server is down or being restarted; it is asked again below.
    }
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

async function listPods(api: NodeApi, keeper: PodKeeper, signal: AbortSignal): Promise<string | undefined> {
  const { status, body } = await api.send({ method: 'GET', path: '/api/v1/pods' }, signal);
  if (status !== 200) return undefined;
  keeper.observeAll(arrayAt(body, 'items').filter(isJsonObject));
  return stringAt(body, 'metadata', 'resourceVersion');
}

/** @returns the version to go on from when the watch ended as planned, undefined when a list is needed. */
async function watchPods(
  api: NodeApi,
  keeper: PodKeeper,
  { resourceVersion, signal }: { readonly resourceVersion: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const path = `/api/v1/pods?watch=1&allowWatchBookmarks=true&timeoutSeconds=1800&resourceVersion=${resourceVersion}`;
  let last: string | undefined;
  for await (const { type, object } of api.watch(path, signal)) {
    if (type === 'ERROR') return undefined;
    last = versionOf(object) ?? last;
    if (type === 'DELETED') keeper.forget(object);
    else if (type !== 'BOOKMARK') keeper.observe(object);
  }
  return last;
}

function versionOf(object: JsonObject): string | undefined {
  return stringAt(object, 'metadata', 'resourceVersion');
}
