import pLimit from 'p-limit';

import { type Discovery, type ResourceInfo } from '../kube/discovery.ts';
import { type KubeClient } from '../kube/kube-client.ts';
import { listMetadata } from '../kube/objects.ts';
import { arrayAt, type JsonObject, stringAt } from '../model/json.ts';
import { groupKindOf, type ObjectRef, refKey } from '../model/object-ref.ts';

export interface CascadeOptions {
  readonly client: KubeClient;
  readonly discovery: Discovery;
  /** Keys of the objects that are removed anyway. */
  readonly removed: ReadonlySet<string>;
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
 * Objects that would be deleted together with a namespace although nobody asked for that.
 * Objects with an owner are left out: they follow their owner, which is listed itself.
 * @throws FleetError when any list fails: then it is not known what would be deleted.
 */
export async function objectsInNamespace(namespace: string, options: CascadeOptions): Promise<ObjectRef[]> {
  const kinds = options.discovery
    .all()
    .filter(
      (resource) =>
        resource.namespaced && resource.verbs.includes('list') && !byProducts.has(groupKindOf(resource)),
    );
  const limit = pLimit(concurrency);
  const lists = await Promise.all(
    kinds.map((resource) => limit(() => listRefs(resource, { ...options, namespace }))),
  );
  return lists.flat().filter((ref) => !furniture.has(`${ref.kind}/${ref.name}`));
}

/**
 * Custom resources that would be deleted together with their definition although nobody asked for that.
 * @throws FleetError when they cannot be listed.
 */
export async function objectsOfDefinition(groupKind: string, options: CascadeOptions): Promise<ObjectRef[]> {
  const resource = options.discovery.findGroupKind(groupKind);
  return resource === undefined ? [] : listRefs(resource, options);
}

async function listRefs(
  resource: ResourceInfo,
  options: CascadeOptions & { readonly namespace?: string },
): Promise<ObjectRef[]> {
  const { client, signal, namespace } = options;
  const { items } = await listMetadata(client, resource, {
    signal,
    ...(namespace === undefined ? {} : { namespace }),
  });
  return items
    .filter((item) => arrayAt(item, 'metadata', 'ownerReferences').length === 0)
    .map((item) => refOf(item, resource))
    .filter((ref) => !options.removed.has(refKey(ref)));
}

function refOf(item: JsonObject, resource: ResourceInfo): ObjectRef {
  return {
    apiVersion: resource.apiVersion,
    kind: resource.kind,
    namespace: stringAt(item, 'metadata', 'namespace') ?? '',
    name: stringAt(item, 'metadata', 'name') ?? '',
  };
}
