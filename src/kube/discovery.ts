import pLimit from 'p-limit';

import { type FleetError, toFleetError } from '../model/fleet-error.ts';
import { arrayAt, type JsonValue, stringAt } from '../model/json.ts';
import { groupKindOf, groupOf } from '../model/object-ref.ts';
import type { KubeClient } from './kube-client.ts';
import { type GroupResources, parseAggregatedDiscovery, parseResourceList } from './parse-discovery.ts';

/** A kind that an API server serves. */
export interface ResourceInfo {
  readonly apiVersion: string;
  readonly kind: string;
  /** As it stands in paths: 'deployments'. */
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** What an API server served when it was asked. Immutable. */
export interface Discovery {
  find(apiVersion: string, kind: string): ResourceInfo | undefined;
  /** The server's preferred version of a kind: 'Deployment.apps'. */
  findGroupKind(groupKind: string): ResourceInfo | undefined;
  /** Every kind in every version, the preferred version of each kind first. */
  all(): readonly ResourceInfo[];
  /** Every group version that is served, also those of which no kind can be told: 'v1', 'apps/v1'. */
  readonly apiVersions: readonly string[];
  /** Groups that could not be read: what they hold is unknown, not absent. */
  readonly failedGroups: readonly string[];
}

const aggregated =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,' +
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

/** Group versions read at a time from servers older than aggregated discovery. */
const concurrency = 8;

/**
 * Asks an API server what it serves: two requests, or one for each group version where it is older than 1.27.
 * A group whose own server does not answer is in failedGroups and disturbs no other.
 * @throws FleetError when the API server itself cannot be read.
 */
export async function discover(client: KubeClient, signal: AbortSignal): Promise<Discovery> {
  const [core, groups] = await Promise.all([
    readRoot(client, '/api', signal),
    readRoot(client, '/apis', signal),
  ]);
  return indexResources([...core, ...groups]);
}

/** The version of an API server: 'v1.36.3'. */
export async function serverVersion(client: KubeClient, signal: AbortSignal): Promise<string> {
  const { body } = await client.request({ method: 'GET', path: '/version', signal });
  return stringAt(body, 'gitVersion') ?? '';
}

async function readRoot(
  client: KubeClient,
  path: '/api' | '/apis',
  signal: AbortSignal,
): Promise<GroupResources[]> {
  const { body } = await client.request({ method: 'GET', path, accept: aggregated, signal });
  if (stringAt(body, 'kind') === 'APIGroupDiscoveryList') return parseAggregatedDiscovery(body);
  const limit = pLimit(concurrency);
  return Promise.all(
    groupVersionsOf(body).map((apiVersion) =>
      limit(() => readGroupVersion(client, { path: `${path}/${apiVersion}`, apiVersion, signal })),
    ),
  );
}

/** The group versions of an APIVersions or APIGroupList, each group's preferred one first. */
function groupVersionsOf(body: JsonValue): string[] {
  const core = arrayAt(body, 'versions').filter((version) => typeof version === 'string');
  const groups = arrayAt(body, 'groups').flatMap((group) => {
    const preferred = stringAt(group, 'preferredVersion', 'groupVersion');
    const all = arrayAt(group, 'versions').flatMap((version) => stringAt(version, 'groupVersion') ?? []);
    return preferred === undefined ? all : [preferred, ...all.filter((version) => version !== preferred)];
  });
  return [...core, ...groups];
}

async function readGroupVersion(
  client: KubeClient,
  { path, apiVersion, signal }: { path: string; apiVersion: string; signal: AbortSignal },
): Promise<GroupResources> {
  const version = { group: groupOf(apiVersion), apiVersions: [apiVersion] };
  try {
    const { body } = await client.request({ method: 'GET', path, signal });
    return { ...version, failed: false, resources: parseResourceList(body, apiVersion) };
  } catch (error) {
    signal.throwIfAborted();
    if (isGroupsOwnFault(toFleetError(error))) return { ...version, failed: true, resources: [] };
    throw error;
  }
}

/** Credentials and rights concern the whole server; anything else that happens to one group version stays there. */
function isGroupsOwnFault(error: FleetError): boolean {
  return error.code !== 'ClusterUnauthorized' && error.code !== 'Forbidden';
}

function indexResources(groups: readonly GroupResources[]): Discovery {
  const all = groups.flatMap((group) => group.resources);
  const byKind = new Map<string, ResourceInfo>();
  const byGroupKind = new Map<string, ResourceInfo>();
  for (const resource of all) {
    // Where two resources share a kind, the first is the one the server prefers.
    const key = `${resource.apiVersion}/${resource.kind}`;
    if (!byKind.has(key)) byKind.set(key, resource);
    const groupKind = groupKindOf(resource);
    if (!byGroupKind.has(groupKind)) byGroupKind.set(groupKind, resource);
  }
  return {
    find: (apiVersion, kind) => byKind.get(`${apiVersion}/${kind}`),
    findGroupKind: (groupKind) => byGroupKind.get(groupKind),
    all: () => all,
    apiVersions: groups.flatMap(({ apiVersions }) => apiVersions),
    failedGroups: [...new Set(groups.filter((group) => group.failed).map((group) => group.group))],
  };
}
