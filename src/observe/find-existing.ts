import pLimit from 'p-limit';

import type { ResourceInfo } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { getMetadata, listMetadata } from '../kube/objects.ts';
import type { ResolveResource } from '../kube/resolve-resource.ts';
import { toFleetError } from '../model/fleet-error.ts';
import { type JsonObject, stringAt } from '../model/json.ts';
import type { Observation } from '../model/observation.ts';
import { groupKindOf } from '../model/object-ref.ts';
import type { PreparedObject } from '../model/plan.ts';

interface FindOptions {
  readonly client: KubeClient;
  readonly resolve: ResolveResource;
  readonly signal: AbortSignal;
}

export interface Found {
  /** Absent, or could not be found out. */
  readonly settled: ReadonlyMap<string, Observation>;
  /** Something of that name exists: it has to be read. */
  readonly existing: readonly PreparedObject[];
}

/** From this many names of one kind and namespace on, one list costs less than asking for each. */
const listFrom = 8;
const concurrency = 16;

/**
 * Finds out which of the objects exist, whoever owns them. Before something is created it must be known that
 * nothing of others bears its name. Namespaces come first: in one that does not exist, nothing does.
 */
export async function findExisting(objects: readonly PreparedObject[], options: FindOptions): Promise<Found> {
  const settled = new Map<string, Observation>();
  const existing: PreparedObject[] = [];
  const isNamespace = (object: PreparedObject): boolean => groupKindOf(object.ref) === 'Namespace';
  await findAmong(objects.filter(isNamespace), { settled, existing, options });
  const inside = objects.filter((object) => !isNamespace(object));
  const known = inside.filter(
    (object) => settled.get(`Namespace//${object.ref.namespace}`)?.state !== 'absent',
  );
  for (const object of inside) settled.set(object.key, { state: 'absent' });
  for (const object of known) settled.delete(object.key);
  await findAmong(known, { settled, existing, options });
  return { settled, existing };
}

interface Search {
  readonly settled: Map<string, Observation>;
  readonly existing: PreparedObject[];
  readonly options: FindOptions;
}

async function findAmong(objects: readonly PreparedObject[], search: Search): Promise<void> {
  const limit = pLimit(concurrency);
  const groups = Map.groupBy(
    objects,
    (object) => `${object.ref.apiVersion}/${groupKindOf(object.ref)}/${object.ref.namespace}`,
  );
  await Promise.all(
    [...groups.values()].flatMap((group) =>
      group.length >= listFrom
        ? [limit(() => findByList(group, search))]
        : group.map((object) => limit(() => findByName(object, search))),
    ),
  );
}

async function findByList(group: readonly PreparedObject[], search: Search): Promise<void> {
  const [first] = group;
  const resource = first === undefined ? undefined : search.options.resolve(first.ref);
  if (first === undefined || resource === undefined) {
    for (const object of group) search.settled.set(object.key, { state: 'unknownKind' });
    return;
  }
  try {
    const names = await namesIn(first.ref.namespace, resource, search.options);
    for (const object of group) {
      if (names.has(object.ref.name)) search.existing.push(object);
      else search.settled.set(object.key, { state: 'absent' });
    }
  } catch (thrown) {
    // Somebody may be allowed to read single objects and not to list: then each is asked for.
    const error = toFleetError(thrown);
    if (error.code === 'Forbidden') await Promise.all(group.map((object) => findByName(object, search)));
    else for (const object of group) search.settled.set(object.key, { state: 'unreadable', error });
  }
}

async function namesIn(
  namespace: string,
  resource: ResourceInfo,
  { client, signal }: FindOptions,
): Promise<Set<string>> {
  const { items } = await listMetadata(client, resource, {
    signal,
    ...(namespace === '' ? {} : { namespace }),
  });
  return new Set(items.flatMap((item: JsonObject) => stringAt(item, 'metadata', 'name') ?? []));
}

async function findByName(object: PreparedObject, { settled, existing, options }: Search): Promise<void> {
  const resource = options.resolve(object.ref);
  if (resource === undefined) {
    settled.set(object.key, { state: 'unknownKind' });
    return;
  }
  try {
    const metadata = await getMetadata(options.client, resource, object.ref, options.signal);
    if (metadata === undefined) settled.set(object.key, { state: 'absent' });
    else existing.push(object);
  } catch (thrown) {
    settled.set(object.key, { state: 'unreadable', error: toFleetError(thrown) });
  }
}
