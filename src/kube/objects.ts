import { fieldManager } from '../model/apply-set.ts';
import { FleetError } from '../model/fleet-error.ts';
import { arrayAt, isJsonObject, type JsonObject, stringAt } from '../model/json.ts';
import { formatRef, type ObjectRef } from '../model/object-ref.ts';
import type { ResourceInfo } from './discovery.ts';
import type { KubeClient, KubeRequest } from './kube-client.ts';
import { collectionPath, objectPath } from './object-path.ts';
import { isExpired, isNotFound } from './status-error.ts';

/** Objects as metadata only; whole ones from the few servers that cannot do it. */
export const metadataAccept = {
  object: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
  list: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
} as const;

/** Objects whole, in the same terms. */
export const wholeAccept = { object: 'application/json', list: 'application/json' } as const;

/** Objects in a page; whole ones may be a hundred times as large as their metadata. */
const pageSizes = { metadata: 5_000, whole: 500 };
/** How often a list whose pages expired under it is begun anew. */
const maxListRestarts = 3;

/**
 * An object as the server has it, or undefined: only where the API is healthy and it, or its namespace, is not there.
 * @throws FleetError for everything else, KindUnknown included.
 */
export function getObject(
  client: KubeClient,
  resource: ResourceInfo,
  ref: ObjectRef,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  return get(client, ref, { method: 'GET', path: objectPath(resource, ref), signal });
}

/** As getObject, without anything but the metadata. */
export function getMetadata(
  client: KubeClient,
  resource: ResourceInfo,
  ref: ObjectRef,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  return get(client, ref, {
    method: 'GET',
    path: objectPath(resource, ref),
    accept: metadataAccept.object,
    signal,
  });
}

async function get(
  client: KubeClient,
  ref: ObjectRef,
  request: KubeRequest,
): Promise<JsonObject | undefined> {
  try {
    return objectOf((await client.request(request)).body, ref);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export interface AppliedObject {
  /** As the server has it now, or would have it after a dry run. */
  readonly object: JsonObject;
  readonly created: boolean;
  readonly warnings: readonly string[];
}

/**
 * Server-side apply of a whole object, sent as it is, with strict validation and our field manager.
 * @throws FleetError OwnershipConflict without `force` where others own fields of it: see conflictsOf.
 */
export async function applyObject(
  client: KubeClient,
  resource: ResourceInfo,
  object: JsonObject,
  options: { force: boolean; dryRun: boolean; signal: AbortSignal },
): Promise<AppliedObject> {
  const ref = refOf(object);
  const response = await client.request({
    method: 'PATCH',
    path: objectPath(resource, ref),
    query: {
      fieldManager,
      fieldValidation: 'Strict',
      force: String(options.force),
      ...(options.dryRun ? { dryRun: 'All' } : {}),
    },
    body: object,
    contentType: 'application/apply-patch+yaml',
    signal: options.signal,
  });
  return {
    object: objectOf(response.body, ref),
    created: response.status === 201,
    warnings: response.warnings,
  };
}

/**
 * A JSON patch (RFC 6902) in the name of our field manager.
 * @returns the object afterwards.
 * @throws FleetError ApplyConflict where the operations set a resourceVersion that is not the present one.
 */
export async function patchObject(
  client: KubeClient,
  resource: ResourceInfo,
  ref: ObjectRef,
  options: { operations: readonly JsonObject[]; signal: AbortSignal },
): Promise<JsonObject> {
  const response = await client.request({
    method: 'PATCH',
    path: objectPath(resource, ref),
    query: { fieldManager },
    body: options.operations,
    contentType: 'application/json-patch+json',
    signal: options.signal,
  });
  return objectOf(response.body, ref);
}

/**
 * Deletes the object that has this uid and no other; what it owns follows in the background, or goes before it.
 * 'deleting': it is on its way out, but a finalizer or a grace period holds it; 'gone': nothing of that name is there;
 * 'replaced': another object of that name is, and was left alone.
 */
export async function deleteObject(
  client: KubeClient,
  resource: ResourceInfo,
  ref: ObjectRef,
  options: { uid: string; propagation?: 'Background' | 'Foreground'; signal: AbortSignal },
): Promise<'deleted' | 'deleting' | 'gone' | 'replaced'> {
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: options.propagation ?? 'Background',
    preconditions: { uid: options.uid },
  };
  try {
    const path = objectPath(resource, ref);
    const answer = await client.request({ method: 'DELETE', path, body, signal: options.signal });
    // What is gone at once is answered with a Status, what is not with the object.
    return stringAt(answer.body, 'metadata', 'deletionTimestamp') === undefined ? 'deleted' : 'deleting';
  } catch (error) {
    if (isNotFound(error)) return 'gone';
    if (!(error instanceof FleetError) || error.code !== 'ApplyConflict') throw error;
    // A 409 has other reasons than the uid, too, such as a namespace that is busy being deleted.
    const live = await getMetadata(client, resource, ref, options.signal);
    if (live === undefined) return 'gone';
    if (stringAt(live, 'metadata', 'uid') !== options.uid) return 'replaced';
    throw error;
  }
}

export interface MetadataList {
  readonly items: JsonObject[];
  /** Where a watch goes on from. */
  readonly resourceVersion: string;
}

interface ListOptions {
  readonly labelSelector?: string;
  readonly namespace?: string;
  /** The metadata alone unless given. */
  readonly accept?: string;
  readonly signal: AbortSignal;
}

/**
 * The metadata of every object of a kind that a selector matches, whole or not at all: read in pages, begun anew
 * where the server has forgotten the revision of the first page.
 */
export async function listMetadata(
  client: KubeClient,
  resource: ResourceInfo,
  options: ListOptions,
): Promise<MetadataList> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      return await listPages(client, resource, options);
    } catch (error) {
      if (!isExpired(error) || restarts >= maxListRestarts) throw error;
    }
  }
}

async function listPages(
  client: KubeClient,
  resource: ResourceInfo,
  options: ListOptions,
): Promise<MetadataList> {
  const accept = options.accept ?? metadataAccept.list;
  const limit = accept === wholeAccept.list ? pageSizes.whole : pageSizes.metadata;
  const items: JsonObject[] = [];
  for (let next = ''; ;) {
    const { body } = await client.request({
      method: 'GET',
      path: collectionPath(resource, options.namespace),
      query: {
        limit: String(limit),
        ...(options.labelSelector === undefined ? {} : { labelSelector: options.labelSelector }),
        ...(next === '' ? {} : { continue: next }),
      },
      accept,
      signal: options.signal,
    });
    // An empty list of an aggregated API server may be null, as Go writes it; a missing one is no list.
    if (!isJsonObject(body) || !(Array.isArray(body['items']) || body['items'] === null)) {
      throw new FleetError('ClusterUnreachable', `the list of ${resource.plural} is no list`, {
        cluster: client.cluster,
      });
    }
    items.push(...arrayAt(body, 'items').filter(isJsonObject));
    next = stringAt(body, 'metadata', 'continue') ?? '';
    if (next === '') return { items, resourceVersion: stringAt(body, 'metadata', 'resourceVersion') ?? '' };
  }
}

function refOf(object: JsonObject): ObjectRef {
  return {
    apiVersion: stringAt(object, 'apiVersion') ?? '',
    kind: stringAt(object, 'kind') ?? '',
    namespace: stringAt(object, 'metadata', 'namespace') ?? '',
    name: stringAt(object, 'metadata', 'name') ?? '',
  };
}

function objectOf(body: unknown, ref: ObjectRef): JsonObject {
  if (isJsonObject(body) && isJsonObject(body['metadata'])) return body;
  throw new FleetError('ClusterUnreachable', `the answer for ${formatRef(ref)} is no object`, { ref });
}
