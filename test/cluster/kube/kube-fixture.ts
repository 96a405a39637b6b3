import { after } from 'mocha';
import { connectCluster, type ConnectOptions } from '../../../src/kube/connect.ts';
import { discover } from '../../../src/kube/discovery.ts';
import type { KubeClient } from '../../../src/kube/kube-client.ts';
import { type AppliedObject, applyObject } from '../../../src/kube/objects.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import { type JsonObject, stringAt } from '../../../src/model/json.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { uniqueNamespace } from '../../harness/control-plane.ts';

/** Long enough for anything here on a busy machine; a test that needs it has failed. */
export const deadline = (): AbortSignal => AbortSignal.timeout(45_000);

/** A client for a kubeconfig, closed after the tests of the file. */
export async function connectTo(kubeconfigPath: string, options: ConnectOptions = {}): Promise<KubeClient> {
  const client = await connectCluster(
    { name: 'tested', labels: {}, annotations: {}, connection: { kind: 'kubeconfig', path: kubeconfigPath } },
    options,
  );
  opened.push(client);
  return client;
}

const opened: KubeClient[] = [];
after(() => Promise.all(opened.splice(0).map((client) => client.close())));

/** Applies an object of any kind that the server serves. */
export async function apply(
  client: KubeClient,
  object: JsonObject,
  options: { force?: boolean; dryRun?: boolean } = {},
): Promise<AppliedObject> {
  const signal = deadline();
  const resource = (await discover(client, signal)).find(
    stringAt(object, 'apiVersion') ?? '',
    stringAt(object, 'kind') ?? '',
  );
  if (resource === undefined) throw new Error(`the server serves no ${stringAt(object, 'kind') ?? ''}`);
  return applyObject(client, resource, object, { force: true, dryRun: false, ...options, signal });
}

/** A namespace of its own for one test. */
export async function createNamespace(controlPlane: ControlPlane): Promise<string> {
  const name = uniqueNamespace('kube');
  await apply(await connectTo(controlPlane.kubeconfigPath), {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  });
  return name;
}

export function configMap(namespace: string, name: string, data: JsonObject = { a: '1' }): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data };
}

/** The error that a promise rejects with; fails the test when it resolves. */
export async function errorOf(work: Promise<unknown>): Promise<FleetError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof FleetError) return error;
    throw error;
  }
  throw new Error('it was expected to fail');
}
