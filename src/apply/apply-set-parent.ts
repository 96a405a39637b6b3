import { createHash } from 'node:crypto';

import type { KubeClient } from '../kube/kube-client.ts';
import { applyObject, getObject } from '../kube/objects.ts';
import {
  applySetIdLabel,
  containsGroupKindsAnnotation,
  systemNamespace,
  toolingAnnotation,
} from '../model/apply-set.ts';
import { stringAt } from '../model/json.ts';
import type { ResourceInfo } from '../kube/discovery.ts';

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

/**
 * The kinds ('Deployment.apps') that the ApplySet may hold, as its parent says; undefined when there is no parent,
 * and so nothing of ours.
 * @throws FleetError when it cannot be read: then the inventory is unknown, not empty.
 */
export async function readGroupKinds(
  client: KubeClient,
  fleet: string,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: systemNamespace, name: parentName(fleet) };
  const parent = await getObject(client, configMaps, ref, signal);
  if (parent === undefined) return undefined;
  const kinds = stringAt(parent, 'metadata', 'annotations', containsGroupKindsAnnotation) ?? '';
  return kinds.split(',').filter((kind) => kind !== '');
}

export interface ParentOptions {
  readonly fleet: string;
  /** Written sorted. Before applying: old and new together; after pruning: what is left. */
  readonly groupKinds: Iterable<string>;
  readonly signal: AbortSignal;
}

/** Writes the parent, and its namespace where that is missing, so that the inventory is known before its first object. */
export async function writeParent(
  client: KubeClient,
  { fleet, groupKinds, signal }: ParentOptions,
): Promise<void> {
  const namespaceRef = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: systemNamespace };
  if ((await getObject(client, namespaces, namespaceRef, signal)) === undefined) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace } };
    await applyObject(client, namespaces, namespace, { force: true, dryRun: false, signal });
  }
  const parent = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: parentName(fleet),
      namespace: systemNamespace,
      labels: { [applySetIdLabel]: applySetIdOf(fleet) },
      annotations: {
        [toolingAnnotation]: 'fleetwright/v1alpha1',
        [containsGroupKindsAnnotation]: [...groupKinds].sort().join(','),
      },
    },
  };
  await applyObject(client, configMaps, parent, { force: true, dryRun: false, signal });
}
