import { createHash } from 'node:crypto';

import type { KubeClient } from '../kube/kube-client.ts';
import { applyObject, getObject } from '../kube/objects.ts';
import {
  applySetIdLabel,
  clusterAnnotation,
  containsGroupKindsAnnotation,
  fieldManager,
  systemNamespace,
  toolingAnnotation,
} from '../model/apply-set.ts';
import { FleetError } from '../model/fleet-error.ts';
import { type JsonObject, stringAt } from '../model/json.ts';
import type { ObjectRef } from '../model/object-ref.ts';
import type { ResourceInfo } from '../kube/discovery.ts';
import { collectionPath } from '../kube/object-path.ts';
import { refusalOf } from '../kube/status-error.ts';

const configMaps: ResourceInfo = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs: [],
};
const namespaces: ResourceInfo = {
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  verbs: [],
};

/**
 * The id of the ApplySet that a fleet keeps in a cluster.
 * Source: KEP-3659: base64url(sha256("<name>.<namespace>.<kind>.<group>")) between 'applyset-' and '-v1'.
 */
export function applySetIdOf(fleet: string): string {
  const hash = createHash('sha256')
    .update(`${parentName(fleet)}.${systemNamespace}.ConfigMap.`)
    .digest('base64url');
  return `applyset-${hash}-v1`;
}

/** The name of the ApplySet's parent ConfigMap in fleetwright-system. */
export function parentName(fleet: string): string {
  return `fleet-${fleet}`;
}

/** The parent itself. */
export function parentRef(fleet: string): ObjectRef {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: systemNamespace, name: parentName(fleet) };
}

/** What an ApplySet's parent says. */
export interface ApplySetParent {
  /** The kinds ('Deployment.apps') that the ApplySet may hold. */
  readonly groupKinds: readonly string[];
  /** The name under which the fleet syncs this cluster; undefined where nobody has written it yet. */
  readonly cluster: string | undefined;
  readonly uid: string;
  readonly resourceVersion: string;
}

/**
 * Reads the parent; undefined when there is none, and so nothing of ours.
 * @throws FleetError when it cannot be read: then the inventory is unknown, not empty.
 */
export async function readParent(
  client: KubeClient,
  fleet: string,
  signal: AbortSignal,
): Promise<ApplySetParent | undefined> {
  const parent = await getObject(client, configMaps, parentRef(fleet), signal);
  if (parent === undefined) return undefined;
  const metadata = (...keys: readonly string[]): string | undefined => stringAt(parent, 'metadata', ...keys);
  const kinds = metadata('annotations', containsGroupKindsAnnotation) ?? '';
  return {
    groupKinds: kinds.split(',').filter((kind) => kind !== ''),
    cluster: metadata('annotations', clusterAnnotation),
    uid: metadata('uid') ?? '',
    resourceVersion: metadata('resourceVersion') ?? '',
  };
}

export interface ParentOptions {
  readonly fleet: string;
  /** Written sorted. Before applying: old and new together; after pruning: what is left. */
  readonly groupKinds: Iterable<string>;
  readonly signal: AbortSignal;
}

/**
 * Makes the parent, and its namespace where that is missing, so that the inventory is known before its first object.
 * @throws FleetError ApplyConflict when somebody else has made it meanwhile, perhaps under another name.
 */
export async function createParent(client: KubeClient, options: ParentOptions): Promise<void> {
  const { fleet, signal } = options;
  const namespaceRef = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: systemNamespace };
  if ((await getObject(client, namespaces, namespaceRef, signal)) === undefined) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace } };
    await applyObject(client, namespaces, namespace, { force: true, dryRun: false, signal });
  }
  try {
    await client.request({
      method: 'POST',
      path: collectionPath(configMaps, systemNamespace),
      query: { fieldManager },
      body: parentOf(client, options),
      signal,
    });
  } catch (error) {
    if (refusalOf(error)?.httpStatus !== 409) throw error;
    const message = `the parent ${parentName(fleet)} was made by somebody else at the same time`;
    throw new FleetError('ApplyConflict', message, { cause: error });
  }
}

/** Writes the parent that is there. */
export async function writeParent(client: KubeClient, options: ParentOptions): Promise<void> {
  const { signal } = options;
  await applyObject(client, configMaps, parentOf(client, options), { force: true, dryRun: false, signal });
}

function parentOf(client: KubeClient, { fleet, groupKinds }: ParentOptions): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: parentName(fleet),
      namespace: systemNamespace,
      labels: { [applySetIdLabel]: applySetIdOf(fleet) },
      annotations: {
        [clusterAnnotation]: client.cluster,
        [toolingAnnotation]: 'fleetwright/v1alpha1',
        [containsGroupKindsAnnotation]: [...groupKinds].sort().join(','),
      },
    },
  };
}
