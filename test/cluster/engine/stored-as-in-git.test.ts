import { expect } from 'chai';

import { type JsonObject, objectAt, valueAt } from '../../../src/model/json.ts';
import { formatOrigin } from '../../../src/model/origin.ts';
import type { ChangeReport } from '../../../src/model/report.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  actionsOf,
  changeOf,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const group = `${uniqueNamespace('stored')}.example.com`;

const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        port: { 'x-kubernetes-int-or-string': true },
        enabled: { type: 'boolean' },
        long: { type: 'integer', format: 'int64' },
        count: { type: 'integer' },
        rules: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, value: { type: 'string' } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
      },
    },
  },
};

const definition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things', singular: 'thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

const thing = (namespace: string): string => `
apiVersion: ${group}/v1
kind: Thing
metadata:
  name: first
  namespace: ${namespace}
  annotations: {date: 2024-01-02, quoted: "no"}
spec:
  enabled: yes
  port: http
  count: 1_000
  long: 9007199254740991
  rules: [{name: a, value: "1"}, {name: b, value: "2"}]
  free:
    base: &base {a: "1", when: 2024-01-02, time: "1:30", unquoted: 1:30}
    merged: {<<: *base, b: "2"}
    prototype: kept
    constructor: {deep: [1, "1", 1.5, null, {}]}
    empty: ""
    list: []
`;

const deployment = (namespace: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${namespace}}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, commit: "81111e1"}}
    spec:
      containers: [{name: web, image: "web:1"}]
      volumes: [{name: key, secret: {secretName: key, defaultMode: 0400}}]
`;

const networkPolicy = (namespace: string): string => `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: only-web, namespace: ${namespace}}
spec:
  podSelector: {}
  policyTypes: [Ingress]
  ingress:
    - from:
        - podSelector: {matchLabels: {app: web}}
        - ipBlock: {cidr: 192.0.2.0/24, except: [192.0.2.7/32]}
      ports: [{port: 80, protocol: TCP}, {port: metrics, protocol: TCP}]
`;

const booleans = (namespace: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: {name: booleans, namespace: ${namespace}}
data: {a: "no", b: "yes", c: "0755", d: "1e3", e: "null"}
`;

/** Unquoted, the label is a number to every YAML reader of Kubernetes. */
const numericLabel = (namespace: string): string => `
apiVersion: v1
kind: ConfigMap
metadata:
  name: numeric-label
  namespace: ${namespace}
  labels:
    commit: 81111e1
`;

const unknownField = (namespace: string): string => `
apiVersion: v1
kind: Service
metadata: {name: misspelt, namespace: ${namespace}}
spec:
  ports: [{port: 80}]
  selektor: {app: web}
`;

describe('what the server stores', () => {
  let fleet: TestFleet;
  let someone: Outsider;
  let first: ChangeReport;
  const at = (path: string): Promise<JsonObject | undefined> => someone.get(path);

  before(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/definition.yaml': definition,
        'apps/web/thing.yaml': thing(namespace),
        'apps/web/deployment.yaml': deployment(namespace),
        'apps/web/policy.yaml': networkPolicy(namespace),
        'apps/web/booleans.yaml': booleans(namespace),
        'apps/web/label.yaml': numericLabel(namespace),
        'apps/web/unknown.yaml': unknownField(namespace),
      }),
    });
    first = await fleet.sync();
  });

  after(async () => {
    await someone.delete(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}`);
    await fleet.close();
    await someone.close();
  });

  it('is a definition’s schema to the last x-kubernetes field', async () => {
    const live = await at(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}`);
    const versions = valueAt(live, 'spec', 'versions') as unknown as JsonObject[];
    expect(valueAt(versions[0], 'schema', 'openAPIV3Schema')).to.deep.equal(schema);
  });

  it('is a custom resource as kubectl would read it', async () => {
    const live = await at(`/apis/${group}/v1/namespaces/${fleet.namespace}/things/first`);
    const base = { a: '1', when: '2024-01-02', time: '1:30', unquoted: '1:30' };
    expect(objectAt(live, 'spec')).to.deep.equal({
      enabled: true,
      port: 'http',
      count: 1000,
      long: 9007199254740991,
      rules: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ],
      free: {
        base,
        merged: { ...base, b: '2' },
        prototype: 'kept',
        constructor: { deep: [1, '1', 1.5, null, {}] },
        empty: '',
        list: [],
      },
    });
    expect(objectAt(live, 'metadata', 'annotations')).to.include({ date: '2024-01-02', quoted: 'no' });
  });

  it('is an octal mode as a mode, and a hash-like label as text', async () => {
    const live = await at(`/apis/apps/v1/namespaces/${fleet.namespace}/deployments/web`);
    const pod = objectAt(live, 'spec', 'template');
    expect(valueAt(pod, 'metadata', 'labels', 'commit')).to.equal('81111e1');
    const volumes = valueAt(pod, 'spec', 'volumes') as unknown as JsonObject[];
    expect(valueAt(volumes[0], 'secret', 'defaultMode')).to.equal(256);
  });

  it('is quoted text as text', async () => {
    expect(objectAt(await at(configMapPath(fleet.namespace, 'booleans')), 'data')).to.deep.equal({
      a: 'no',
      b: 'yes',
      c: '0755',
      d: '1e3',
      e: 'null',
    });
  });

  it('is a NetworkPolicy with its sources', async () => {
    const path = `/apis/networking.k8s.io/v1/namespaces/${fleet.namespace}/networkpolicies/only-web`;
    const ingress = valueAt(await at(path), 'spec', 'ingress') as unknown as JsonObject[];
    expect(ingress).to.deep.equal([
      {
        from: [
          { podSelector: { matchLabels: { app: 'web' } } },
          { ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.7/32'] } },
        ],
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 'metrics', protocol: 'TCP' },
        ],
      },
    ]);
  });

  it('is nothing of an object with an unknown field; its place in Git and the field are named', async () => {
    const change = changeOf(first, 'misspelt');
    if (change.action !== 'failed') throw new Error(`it is ${change.action}`);
    expect(change.error.code).to.equal('ObjectInvalid');
    expect(change.error.message).to.contain('.spec.selektor');
    expect(formatOrigin(change.error.subject.origin!)).to.equal('apps/web/unknown.yaml:2');
    expect(await at(`/api/v1/namespaces/${fleet.namespace}/services/misspelt`)).to.equal(undefined);
  });

  it('is nothing of an object with a numeric label; its place is named and the rest is applied', async () => {
    const errors = first.clusters[0]!.errors.map((error) => formatOrigin(error.subject.origin!));
    expect(errors).to.deep.equal(['apps/web/label.yaml:8:13']);
    expect(await at(configMapPath(fleet.namespace, 'numeric-label'))).to.equal(undefined);
    expect(actionsOf(first).filter((line) => line.startsWith('failed'))).to.deep.equal([
      'failed Service/misspelt',
    ]);
  });

  it('is not written a second time', async () => {
    const path = `/apis/${group}/v1/namespaces/${fleet.namespace}/things/first`;
    const before = valueAt(await at(path), 'metadata', 'resourceVersion');
    expect(actionsOf(await fleet.sync())).to.deep.equal(['failed Service/misspelt']);
    expect(valueAt(await at(path), 'metadata', 'resourceVersion')).to.equal(before);
  });
});
