import { expect } from 'chai';
import type { KubeClient } from '../../../src/kube/kube-client.ts';
import { type JsonObject, valueAt } from '../../../src/model/json.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { apply, connectTo, createNamespace } from './kube-fixture.ts';

/** Typed client libraries drop or rename these on the way: see `_from` and x-kubernetes-* in their models. */
describe('what Git has reaches the server untouched', () => {
  let client: KubeClient;
  let namespace: string;
  before(async () => {
    const controlPlane = await sharedControlPlane();
    client = await connectTo(controlPlane.kubeconfigPath);
    namespace = await createNamespace(controlPlane);
  });

  it('keeps the from of a NetworkPolicy', async () => {
    const spec = {
      podSelector: { matchLabels: { app: 'web' } },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: { app: 'proxy' } } }],
          ports: [{ protocol: 'TCP', port: 80, endPort: 90 }],
        },
      ],
    };
    const { object } = await apply(client, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { namespace, name: 'web' },
      spec,
    });
    expect(object['spec']).to.deep.equal(spec);
  });

  it('keeps every x-kubernetes extension of a definition', async () => {
    const plural = uniqueNamespace('w').replace('-', '');
    const openAPIV3Schema: JsonObject = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          'x-kubernetes-validations': [{ rule: "!has(self.port) || self.port != 'none'", message: 'no' }],
          properties: {
            port: { 'x-kubernetes-int-or-string': true },
            rules: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['name'],
              items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
            },
          },
        },
      },
    };
    const { object } = await apply(client, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural, kind: plural.toUpperCase() },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    });
    const versions = valueAt(object, 'spec', 'versions');
    expect(
      valueAt(Array.isArray(versions) ? versions[0] : undefined, 'schema', 'openAPIV3Schema'),
    ).to.deep.equal(openAPIV3Schema);
  });
});
