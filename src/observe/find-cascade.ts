import pLimit from 'p-limit';

import type { Discovery, ResourceInfo } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { listMetadata } from '../kube/objects.ts';
import { FleetError } from '../model/fleet-error.ts';
import { arrayAt, type JsonObject, stringAt } from '../model/json.ts';
import { groupKindOf, groupOf, type ObjectRef } from '../model/object-ref.ts';

export interface CascadeOptions {
  readonly client: KubeClient;
  readonly discovery: Discovery;
  readonly signal: AbortSignal;
}

/** What every namespace holds from its first second on. */
const furniture = new Set(['ConfigMap/kube-root-ca.crt', 'ServiceAccount/default']);
/** Records and by-products that nobody would miss with their namespace. */
const byProducts = new Set([
  'Event',
  'Event.events.k8s.io',
  'Lease.coordination.k8s.io',
  'Endpoints',
  'EndpointSlice.discovery.k8s.io',
  'PodMetrics.metrics.k8s.io',
]);

const concurrency = 8;

/**
 * Objects that would be deleted together with a namespace. Left out are those whose owner is among them, which follow
 * it, those that are being deleted already, and what nobody would miss.
 * @throws FleetError when discovery or any list is incomplete: then it is not known what would be deleted.
 */
export async function objectsInNamespace(namespace: string, options: CascadeOptions): Promise<ObjectRef[]> {
  const [failed] = options.discovery.failedGroups;
  if (failed !== undefined)
    throw new FleetError('ServerFailed', `the kinds of the group ${failed} could not be read`);
  const kinds = preferred(options.discovery).filter(
    (resource) =>
      resource.namespaced && resource.verbs.includes('list') && !byProducts.has(groupKindOf(resource)),
  );
  const limit = pLimit(concurrency);
  const lists = await Promise.all(
    kinds.map((resource) => limit(() => listMembers(resource, { ...options, namespace }))),
  );
  return leading(lists.flat()).filter((ref) => !furniture.has(`${ref.kind}/${ref.name}`));
}

/**
 * Custom resources that would be deleted together with the definition of that name ('<plural>.<group>').
 * @throws FleetError when they cannot be listed; where no version is served they may be stored all the same.
 */
export async function objectsOfDefinition(name: string, options: CascadeOptions): Promise<ObjectRef[]> {
  const [plural = '', ...rest] = name.split('.');
  const group = rest.join('.');
  if (options.discovery.failedGroups.includes(group))
    throw new FleetError('ServerFailed', `the kinds of the group ${group} could not be read`);
  const resource = preferred(options.discovery).find(
    (entry) => entry.plural === plural && groupOf(entry.apiVersion) === group,
  );
  if (resource === undefined) throw new FleetError('KindUnknown', `the cluster does not serve ${name}`);
  return leading(await listMembers(resource, options));
}

/** Each kind once, in the version that comes first: all versions show the same objects. */
function preferred(discovery: Discovery): ResourceInfo[] {
  const kinds = new Map<string, ResourceInfo>();
  for (const resource of discovery.all()) {
    const key = `${resource.plural}.${groupOf(resource.apiVersion)}`;
    if (!kinds.has(key)) kinds.set(key, resource);
  }
  return [...kinds.values()];
}

interface Member {
  readonly ref: ObjectRef;
  readonly uid: string;
  readonly ownerUids: readonly string[];
  readonly deleting: boolean;
}

/** Those that lead the others: an owner that lives elsewhere does not leave, so what it owns would be missed. */
function leading(members: readonly Member[]): ObjectRef[] {
  const uids = new Set(members.map(({ uid }) => uid));
  return members
    .filter(({ ownerUids, deleting }) => !deleting && !ownerUids.some((uid) => uids.has(uid)))
    .map(({ ref }) => ref);
}

async function listMembers(
  resource: ResourceInfo,
  options: CascadeOptions & { readonly namespace?: string },
): Promise<Member[]> {
  const { client, signal, namespace } = options;
  const { items } = await listMetadata(client, resource, {
    signal,
    ...(namespace === undefined ? {} : { namespace }),
  });
  return items.map((item) => ({
    ref: refOf(item, resource),
    uid: stringAt(item, 'metadata', 'uid') ?? '',
    ownerUids: arrayAt(item, 'metadata', 'ownerReferences').flatMap((owner) => stringAt(owner, 'uid') ?? []),
    deleting: stringAt(item, 'metadata', 'deletionTimestamp') !== undefined,
  }));
}

function refOf(item: JsonObject, resource: ResourceInfo): ObjectRef {
  return {
    apiVersion: resource.apiVersion,
    kind: resource.kind,
    namespace: stringAt(item, 'metadata', 'namespace') ?? '',
    name: stringAt(item, 'metadata', 'name') ?? '',
  };
}
