import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';

import { type JsonObject, type JsonValue, stringAt } from '../../../src/model/json.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import { countOf, type Outsider, outsider, startTestFleet, type TestFleet } from '../../harness/fleet.ts';
import { pathsOf, withValue } from '../../harness/leave-empty.ts';
import { defineOddities, kubectlApply, storedIn } from './corpus-fixture.ts';

/** Objects in which each field in turn is left empty. */
const whole: readonly JsonObject[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: '',
      labels: { a: 'b' },
      annotations: { 'example.com/a': 'b' },
      finalizers: ['example.com/x'],
    },
    data: { a: 'b' },
    binaryData: { c: 'eA==' },
    immutable: true,
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: '' },
    type: 'Opaque',
    data: { a: 'eA==' },
    stringData: { b: 'x' },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: '' },
    spec: {
      type: 'ClusterIP',
      selector: { app: 'x' },
      ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }],
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
      publishNotReadyAddresses: true,
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: '' },
    spec: {
      replicas: 0,
      minReadySeconds: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '10%' } },
      selector: { matchLabels: { app: 'x' } },
      template: {
        metadata: { labels: { app: 'x', b: 'c' }, annotations: { d: 'e' } },
        spec: {
          nodeSelector: { disk: 'ssd' },
          tolerations: [{ key: 'a', operator: 'Exists' }],
          securityContext: { runAsNonRoot: true, fsGroup: 0 },
          containers: [
            {
              name: 'web',
              image: 'web:1',
              args: ['a'],
              env: [
                { name: 'A', value: 'b' },
                { name: 'C', valueFrom: { configMapKeyRef: { name: 'c', key: 'd', optional: true } } },
              ],
              ports: [{ containerPort: 80, name: 'http' }],
              resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: 0.5 } },
              readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 },
              volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true }],
            },
          ],
          volumes: [{ name: 'v', emptyDir: {} }],
        },
      },
    },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: '' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' },
    subjects: [{ kind: 'ServiceAccount', name: 'x', namespace: 'y' }],
  },
  {
    apiVersion: 'oracle.example.com/v1',
    kind: 'Typed',
    metadata: { name: '' },
    spec: {
      enabled: true,
      text: 'x',
      count: 1,
      share: 0.5,
      port: 80,
      size: 'large',
      nullable: 'x',
      list: ['x'],
      map: { a: 'b' },
    },
  },
  {
    apiVersion: 'oracle.example.com/v1',
    kind: 'Oddity',
    metadata: { name: '' },
    spec: { a: { b: [{ c: 1 }] } },
  },
];
const empties: readonly JsonValue[] = [null, '', {}, []];

interface Variant {
  readonly name: string;
  readonly what: string;
  readonly manifest: JsonObject;
}

const variants: readonly Variant[] = whole
  .flatMap((object) =>
    pathsOf(object)
      .filter((path) => !['', 'apiVersion', 'kind', 'metadata', 'metadata.name'].includes(path.join('.')))
      .flatMap((path) => empties.map((empty) => ({ object, path, empty }))),
  )
  .map(({ object, path, empty }, index) => {
    const name = `variant-${index}`;
    const what = `${stringAt(object, 'kind') ?? ''} with .${path.join('.')}: ${JSON.stringify(empty)}`;
    // The whole objects are maps, and stay maps below their root.
    const named = withValue(object, ['metadata', 'name'], name);
    return { name, what, manifest: withValue(named, path, empty) as JsonObject };
  });

/** Stored by kubectl, refused by us: a label or annotation without a value is a mistake. */
const refusedByUs = /ConfigMap with \.metadata\.(labels\.a|annotations\.example\.com\/a): null/;

describe('nulls and empty values, everywhere a manifest can have them', () => {
  const kubectls = uniqueNamespace('nulls');
  let someone: Outsider;
  let fleet: TestFleet;

  before(async function () {
    // The first run on a machine fetches kubectl.
    this.timeout(400_000);
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    await defineOddities(someone);
    await someone.create('/api/v1/namespaces', { metadata: { name: kubectls } });
    const dir = await mkdtemp(join(tmpdir(), 'fleetwright-nulls-'));
    try {
      for (const { name, manifest } of variants)
        await writeFile(join(dir, `${name}.json`), JSON.stringify(manifest));
      await kubectlApply(controlPlane, { namespace: kubectls, dir }, '--server-side');
    } finally {
      await rm(dir, { recursive: true });
    }
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({
        'generators/nulls.yaml': generatorFile('nulls', { namespace }),
        'clusters/tokyo/namespace.yaml': namespaceFile(namespace),
        ...Object.fromEntries(
          variants.map(({ name, manifest }) => [`apps/nulls/${name}.yaml`, JSON.stringify(manifest)]),
        ),
      }),
    });
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('are stored, or refused, as kubectl apply --server-side does', async () => {
    await fleet.sync();
    const [theirs, ours] = [await storedIn(someone, kubectls), await storedIn(someone, fleet.namespace)];
    expect(variants.length).to.be.greaterThan(300);
    expect(theirs.size).to.be.greaterThan(100);
    const unlike = variants.flatMap(({ name, what, manifest }) => {
      const key = `${stringAt(manifest, 'kind') ?? ''} ${name}`;
      const pair = { what, ours: ours.get(key), theirs: theirs.get(key) };
      return isDeepStrictEqual(pair.ours, pair.theirs) ? [] : [pair];
    });
    expect(unlike.filter(({ what }) => !refusedByUs.test(what))).to.deep.equal([]);
    expect(unlike.map(({ ours: stored }) => stored)).to.deep.equal([undefined, undefined]);
  });

  it('are written once', async () => {
    for (const pass of [1, 2]) {
      const report = await fleet.sync();
      expect([pass, countOf(report, 'create'), countOf(report, 'configure')]).to.deep.equal([pass, 0, 0]);
    }
  });
});
