import { expect } from 'chai';

import type { JsonObject } from '../../../src/model/json.ts';
import { pathsOf, withValue } from '../../harness/leave-empty.ts';
import { type Files, render } from './fleet.ts';

/** Documents in which every key is set, to be left empty one at a time. */
const whole: Readonly<Record<string, JsonObject>> = {
  'generators/web.yaml': {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Generator',
    metadata: { name: 'web', labels: { a: 'b' }, annotations: { a: 'b' } },
    spec: {
      clusterSelector: {
        matchLabels: { env: 'production' },
        matchExpressions: [{ key: 'region', operator: 'In', values: ['east'] }],
      },
      when: 'cluster.labels.env == "production"',
      source: { path: 'apps/{{ item.app }}', optional: true },
      render: { type: 'plain' },
      namespace: 'shop',
      parameters: { replicas: 2, deep: { a: ['b'] } },
      each: {
        list: [{ app: 'web' }],
        directories: { path: 'tenants/*', exclude: ['tenants/_*'] },
        files: { path: 'tenants/*/config.yaml', exclude: ['x'] },
      },
      overrides: [
        {
          clusterSelector: { matchLabels: { env: 'production' } },
          when: 'true',
          parameters: { replicas: 5 },
          patches: [
            {
              target: {
                group: '',
                apiVersion: 'v1',
                kind: 'ConfigMap',
                name: 'a*',
                namespace: 'shop',
                labels: { a: 'b' },
              },
              merge: { data: { a: '2' } },
              optional: true,
            },
            {
              target: { kind: 'ConfigMap' },
              json: [{ op: 'add', path: '/data/c', value: 'd' }],
              optional: true,
            },
          ],
        },
      ],
      dependsOn: ['base'],
      sync: {
        drift: 'correct',
        prune: true,
        pruneLimit: { count: 1, percent: 2, minimum: 3 },
        deletion: 'delete',
      },
    },
  },
  'generators/chart.yaml': {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Generator',
    metadata: { name: 'chart' },
    spec: {
      clusterSelector: {},
      source: { path: 'charts/none', optional: true },
      render: {
        type: 'helm',
        helm: {
          releaseName: 'x',
          valuesFiles: ['a.yaml', { path: 'b.yaml', optional: true }],
          values: { a: { b: ['c'] } },
          includeCRDs: true,
          hooks: 'skip',
          kubeVersion: '1.34',
          apiVersions: ['a/v1'],
        },
      },
    },
  },
  'clusters/east/cluster.yaml': {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'east', labels: { env: 'production' }, annotations: { a: 'b' } },
    spec: { sync: { drift: 'report', prune: true, pruneLimit: { count: 1, percent: 2, minimum: 3 } } },
  },
  'apps/web/a.yaml': {
    apiVersion: 'v1',
    kind: 'List',
    metadata: {},
    items: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', namespace: 'shop', labels: { a: 'b' }, annotations: { a: 'b' } },
        data: { a: '1' },
      },
    ],
  },
  'tenants/blue/config.yaml': { size: 'small', deep: { a: 'b' } },
};

describe('empty values, everywhere in a fleet repository', () => {
  const files: Files = {
    ...Object.fromEntries(Object.entries(whole).map(([file, value]) => [file, JSON.stringify(value)])),
    'generators/base.yaml':
      'apiVersion: fleetwright.dev/v1alpha1\nkind: Generator\nmetadata: {name: base}\nspec: {clusterSelector: {}, source: {path: apps/base}}\n',
    'clusters/east/own.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\n',
    'apps/base/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base}\n',
  };
  const labels = { region: 'east' };

  it('begin with a repository that has no fault', async () => {
    const { faults, objects } = await render(files, labels);
    expect(faults.map((fault) => fault.describe())).to.deep.equal([]);
    expect(objects.map(({ ref }) => ref.name)).to.deep.equal(['base', 'own', 'a']);
  });

  for (const [file, value] of Object.entries(whole)) {
    for (const empty of [null, '', {}, []]) {
      it(`${JSON.stringify(empty)} in ${file} is taken or a fault in that file, and hides nothing else`, async () => {
        for (const path of pathsOf(value)) {
          const where = `${path.join('.')} of ${file}`;
          const { faults, objects } = await render(
            { ...files, [file]: JSON.stringify(withValue(value, path, empty)) },
            labels,
          );
          for (const { code, subject } of faults) {
            expect(code, where).to.be.oneOf(['ConfigInvalid', 'ManifestInvalid', 'RenderFailed']);
            expect(subject.origin, where).to.not.equal(undefined);
            expect(subject.origin?.line, where).to.equal(1);
          }
          const names = objects.map(({ ref }) => ref.name);
          // Without its labels nobody knows which generators are for a cluster.
          expect(names, where).to.include.members(file.endsWith('cluster.yaml') ? ['own'] : ['base', 'own']);
          for (const { manifest } of objects)
            expect(JSON.parse(JSON.stringify(manifest)), where).to.deep.equal(manifest);
        }
      });
    }
  }
});
