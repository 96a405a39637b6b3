import type { JsonObject } from '../../src/model/json.ts';
import type { ControlPlane } from '../../src/local/control-plane/start-control-plane.ts';
import type { TestCluster } from './fleet.ts';

/** A generator's file. It reads apps/<name> and picks every cluster unless told otherwise. */
export function generatorFile(name: string, spec: JsonObject = {}): string {
  return JSON.stringify({
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Generator',
    metadata: { name },
    spec: { clusterSelector: {}, source: { path: `apps/${name}` }, ...spec },
  });
}

export interface ConfigMapParts {
  readonly data?: JsonObject;
  readonly labels?: JsonObject;
  readonly annotations?: JsonObject;
}

/** A ConfigMap's manifest; JSON is YAML. */
export function configMap(
  namespace: string,
  name: string,
  { data, ...metadata }: ConfigMapParts = {},
): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, ...metadata },
    data: data ?? { from: 'git' },
  });
}

export function namespaceFile(name: string, labels: JsonObject = {}): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
}

/** Several manifests in one file. */
export function documents(...manifests: readonly string[]): string {
  return manifests.join('\n---\n');
}

/** Where a ConfigMap is served. */
export function configMapPath(namespace: string, name: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps/${name}`;
}

/** A cluster that the engine enters in a name of its own, so that the audit log tells its requests from all others. */
export async function clusterOfUser(
  controlPlane: ControlPlane,
  {
    user,
    groups = ['system:masters'],
    ...cluster
  }: Pick<TestCluster, 'name' | 'labels'> & {
    readonly user: string;
    readonly groups?: readonly string[];
  },
): Promise<TestCluster> {
  const kubeconfigPath = await controlPlane.issueClient(user, groups, 3_600_000);
  return { ...cluster, controlPlane: { kubeconfigPath } };
}
