import { expect } from 'chai';
import fc from 'fast-check';

import { createRenderCache } from '../../../src/render/render-cache.ts';
import { renderCluster } from '../../../src/render/render-cluster.ts';
import { repositoryFaults, repositoryWarnings } from '../../../src/render/repository/fleet-repository.ts';
import { loadFleetRepository } from '../../../src/render/repository/load-fleet-repository.ts';
import {
  clusterFile,
  configMap,
  deepFreeze,
  faultsOf,
  type Files,
  generator,
  namesOf,
  render,
  statesOf,
} from './fleet.ts';
import { memorySnapshot } from './memory-snapshot.ts';

const production =
  'clusterSelector: {matchLabels: {env: production}}, source: {path: apps/web}, namespace: shop';

describe('renderCluster', () => {
  it('joins what generators and the cluster’s own directory give, each object with its origin', async () => {
    const state = await render({
      'generators/web.yaml': generator(
        'web',
        'clusterSelector: {}, source: {path: apps/web}, namespace: shop, sync: {drift: report}',
      ),
      'apps/web/all.yaml': `# first\n---\n${configMap('a')}---\n${configMap('b')}`,
      'apps/web/README.md': 'not a manifest',
      'clusters/east/cluster.yaml': clusterFile('east', '{size: small}'),
      'clusters/east/deep/c.yml': configMap('c'),
      'clusters/west/d.yaml': configMap('d'),
    });
    expect(state.objects).to.deep.equal([
      {
        ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: '', name: 'a' },
        manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' } },
        origin: { generator: 'web', file: 'apps/web/all.yaml', document: 1, line: 3 },
        defaultNamespace: 'shop',
      },
      {
        ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: '', name: 'b' },
        manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: { a: '1' } },
        origin: { generator: 'web', file: 'apps/web/all.yaml', document: 2, line: 8 },
        defaultNamespace: 'shop',
      },
      {
        ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: '', name: 'c' },
        manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: '1' } },
        origin: { generator: 'clusters/east', file: 'clusters/east/deep/c.yml', document: 1, line: 1 },
        defaultNamespace: 'default',
      },
    ]);
    expect([...state.generators.values()]).to.deep.equal([
      { name: 'web', state: 'rendered', sync: { drift: 'report' } },
      { name: 'clusters/east', state: 'rendered', sync: {} },
    ]);
    expect({ faults: state.faults, labels: state.labels, warnings: state.warnings }).to.deep.equal({
      faults: [],
      labels: { size: 'small' },
      warnings: [
        'clusters/east: 1 object goes to the namespace default, since neither the manifest nor the generator names one: ConfigMap/c at clusters/east/deep/c.yml:1',
      ],
    });
  });

  it('picks clusters by label, and lists a generator whose selector does not match as unmatched', async () => {
    const files = { 'generators/web.yaml': generator('web', production), 'apps/web/a.yaml': configMap('a') };
    const matching = await render(files, { env: 'production' });
    expect([namesOf(matching), statesOf(matching)]).to.deep.equal([['ConfigMap/a'], { web: 'rendered' }]);
    const other = await render(files, { env: 'staging' });
    expect([namesOf(other), statesOf(other), faultsOf(other)]).to.deep.equal([[], { web: 'unmatched' }, []]);
  });

  it('lets Git’s labels win over the registry’s, and says so', async () => {
    const files = {
      'generators/web.yaml': generator('web', production),
      'apps/web/a.yaml': configMap('a'),
      'clusters/east/cluster.yaml': clusterFile('east', '{env: production, same: x}'),
    };
    const state = await render(files, { env: 'staging', same: 'x', region: 'r' });
    expect(namesOf(state)).to.deep.equal(['ConfigMap/a']);
    expect(state.labels).to.deep.equal({ env: 'production', same: 'x', region: 'r' });
    expect(state.warnings).to.deep.equal([
      'label env: clusters/east/cluster.yaml says "production", the registry "staging"; Git wins',
    ]);
  });

  it('renders nothing by label while cluster.yaml is broken, but its own manifests still', async () => {
    const state = await render({
      'generators/web.yaml': generator('web'),
      'apps/web/a.yaml': configMap('a'),
      'clusters/east/cluster.yaml': clusterFile('west', '{env: production}'),
      'clusters/east/b.yaml': configMap('b'),
    });
    expect(namesOf(state)).to.deep.equal(['ConfigMap/b']);
    expect(statesOf(state)).to.deep.equal({ web: 'failed', 'clusters/east': 'failed' });
    expect(faultsOf(state)).to.deep.equal([
      'clusters/east/cluster.yaml:3:12: ConfigInvalid: metadata.name: must be "east", as its folder is',
    ]);
  });

  it('never reads from Git how to reach a cluster', async () => {
    const state = await render({
      'clusters/east/cluster.yaml': `${clusterFile('east', '{}')}spec: {kubeconfig: {path: x}}\n`,
    });
    expect(faultsOf(state)).to.deep.equal([
      'clusters/east/cluster.yaml:4:8: ConfigInvalid: spec.kubeconfig: how to reach a cluster stays in the registry; it is never read from Git',
    ]);
  });

  it('tells a broken generator in every cluster, keeps its name, and goes on with the others', async () => {
    const files = {
      'generators/bad.yaml': generator('bad', 'source: {path: apps/bad}'),
      'generators/worse.yaml': 'kind: [',
      'generators/web.yaml': generator('web'),
      'apps/web/a.yaml': configMap('a'),
    };
    const state = await render(files);
    expect(namesOf(state)).to.deep.equal(['ConfigMap/a']);
    expect(statesOf(state)).to.deep.equal({ bad: 'failed', web: 'rendered' });
    const faults = [
      'generators/bad.yaml:4:1: ConfigInvalid: spec.clusterSelector: is required',
      'generators/worse.yaml:1:8: ConfigInvalid: unexpected end of the stream within a flow collection',
    ];
    expect(faultsOf(state)).to.deep.equal(faults);
    const repository = await loadFleetRepository(memorySnapshot(files), createRenderCache());
    expect(repositoryFaults(repository).map((fault) => fault.describe())).to.deep.equal(faults);
  });

  it('takes from a source what it can read of it, and tells the rest', async () => {
    const state = await render({
      'generators/web.yaml': generator('web'),
      'apps/web/bad.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: bad\n  labels: {commit: 81111e1}\n',
      'apps/web/good.yaml': `${configMap('good', 'data: {commit: "81111e1"}')}---\nkind: [\n---\n${configMap('better')}`,
    });
    expect(namesOf(state)).to.deep.equal(['ConfigMap/better', 'ConfigMap/good']);
    expect(state.objects[1]?.manifest['data']).to.deep.equal({ commit: '81111e1' });
    expect(statesOf(state)).to.deep.equal({ web: 'failed' });
    expect(faultsOf(state)).to.deep.equal([
      'apps/web/bad.yaml:5:20: ManifestInvalid: label commit must be text, not the number 811110; quote it',
      'apps/web/good.yaml:7:1: ManifestInvalid: deficient indentation',
    ]);
  });

  it('reports links, submodules and LFS pointers below a source instead of passing over them', async () => {
    const state = await render({
      'generators/web.yaml': generator('web'),
      'apps/web/a.yaml': configMap('a'),
      'apps/web/common': { kind: 'symlink' },
      'apps/web/vendor': { kind: 'submodule' },
      'apps/web/big.yaml': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
      'clusters/east': { kind: 'symlink' },
    });
    expect(namesOf(state)).to.deep.equal(['ConfigMap/a']);
    expect(statesOf(state)).to.deep.equal({ web: 'failed', 'clusters/east': 'failed' });
    expect(state.faults.map(({ subject }) => subject.origin?.file)).to.deep.equal([
      'apps/web/big.yaml',
      'apps/web/common',
      'apps/web/vendor',
      'clusters/east',
    ]);
  });

  it('leaves out an object that two places define, and names both', async () => {
    const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\n';
    const state = await render({
      'generators/one.yaml': generator(
        'one',
        'clusterSelector: {}, source: {path: apps/one}, namespace: shop',
      ),
      'generators/two.yaml': generator('two', 'clusterSelector: {}, source: {path: apps/two}'),
      'apps/one/a.yaml': `${configMap('same')}---\n${configMap('other')}---\n${role}`,
      'apps/two/a.yaml': `${configMap('other')}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: same, namespace: shop}\n---\n${role}`,
    });
    // 'other' goes into shop once and into default once: two objects.
    expect(state.objects.map(({ ref, defaultNamespace }) => [ref.name, defaultNamespace])).to.deep.equal([
      ['other', 'default'],
      ['other', 'shop'],
    ]);
    expect(faultsOf(state)).to.deep.equal([
      'apps/two/a.yaml:6: ManifestInvalid: ConfigMap/same in shop is also defined at apps/one/a.yaml:1 (one); neither is applied',
      'apps/two/a.yaml:10: ManifestInvalid: ClusterRole/r is also defined at apps/one/a.yaml:11 (one); neither is applied',
    ]);
    expect(statesOf(state)).to.deep.equal({ one: 'failed', two: 'failed' });
  });

  it('takes the scope of a custom resource from its definition', async () => {
    const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec: {group: example.com, scope: Cluster, names: {kind: Widget, plural: widgets}}
`;
    const widget = (namespace: string): string =>
      `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: ${namespace}}\n`;
    const files = { 'clusters/east/a.yaml': widget('one'), 'clusters/east/b.yaml': widget('two') };
    expect((await render(files)).faults).to.deep.equal([]);
    expect((await render({ ...files, 'clusters/east/crd.yaml': crd })).faults).to.have.length(1);
  });

  it('wants a source to exist unless it is optional', async () => {
    const missing = await render({ 'generators/web.yaml': generator('web') });
    expect(faultsOf(missing)).to.deep.equal([
      'generators/web.yaml:4:44: RenderFailed: source.path: there is no "apps/web" in the repository',
    ]);
    expect(statesOf(missing)).to.deep.equal({ web: 'failed' });
    const optional = await render({
      'generators/web.yaml': generator(
        'web',
        'clusterSelector: {}, source: {path: apps/web, optional: true}',
      ),
    });
    expect([faultsOf(optional), statesOf(optional)]).to.deep.equal([[], { web: 'rendered' }]);
  });

  it('takes a file of comments for a source without objects', async () => {
    const state = await render({
      'generators/web.yaml': generator('web'),
      'apps/web/a.yaml': '# soon\n',
      'apps/web/b.yaml': '',
    });
    expect([namesOf(state), faultsOf(state), statesOf(state)]).to.deep.equal([[], [], { web: 'rendered' }]);
  });

  it('does not take a folder for plain manifests that is made for another renderer', async () => {
    const files = {
      'apps/web/kustomization.yaml': 'resources: [a.yaml]\n',
      'apps/web/a.yaml': configMap('a'),
    };
    const auto = await render({ ...files, 'generators/web.yaml': generator('web') });
    expect(faultsOf(auto)).to.deep.equal([
      'apps/web:1: RenderFailed: the source is made for kustomize, and nothing here renders that',
    ]);
    expect(namesOf(auto)).to.deep.equal([]);
  });

  it('renders templates with the cluster’s facts, for a path as well', async () => {
    const state = await render(
      {
        'generators/web.yaml': generator(
          'web',
          'clusterSelector: {}, source: {path: "apps/{{ cluster.name }}"}, render: {type: template}, parameters: {count: 3}, overrides: [{clusterSelector: {matchLabels: {env: production}}, parameters: {count: 5}}]',
        ),
        'apps/east/a.yaml': configMap(
          '{{ fleet.name }}',
          'data: {count: "{{ params.count }}", region: "{{ cluster.labels.region }}"}',
        ),
      },
      { region: 'cn-east', env: 'production' },
    );
    expect(faultsOf(state)).to.deep.equal([]);
    expect(state.objects[0]?.manifest).to.deep.include({
      metadata: { name: 'acme' },
      data: { count: '5', region: 'cn-east' },
    });
  });

  it('says where a template speaks of what is not there, and keeps what depends on the clock out', async () => {
    const state = await render({
      'generators/web.yaml': generator(
        'web',
        'clusterSelector: {}, source: {path: apps/web}, render: {type: template}',
      ),
      'apps/web/a.yaml': configMap('a', 'data: {region: "{{ cluster.labels.region }}"}'),
      'apps/web/b.yaml': configMap('b', `data: {at: "{{ 'now' | date: '%s' }}"}`),
      'apps/web/c.yaml': configMap('c', `data: {at: "{% include 'x' %}"}`),
    });
    expect(namesOf(state)).to.deep.equal([]);
    expect(faultsOf(state)[0]).to.equal(
      'apps/web/a.yaml:4:20: ManifestInvalid: template: undefined variable: cluster.labels.region',
    );
    expect(faultsOf(state)[1]).to.match(
      /^apps\/web\/b\.yaml:4:\d+: ManifestInvalid: template: the filter date is not available/,
    );
    expect(faultsOf(state)[2]).to.match(/^apps\/web\/c\.yaml:4:\d+: ManifestInvalid: template: /);
  });

  it('never lets a label lead a path out of the fleet', async () => {
    const files = {
      'generators/web.yaml': generator(
        'web',
        'clusterSelector: {}, source: {path: "apps/{{ cluster.labels.dir }}"}',
      ),
    };
    expect(faultsOf(await render(files, { dir: '..' }))).to.deep.equal([
      'generators/web.yaml:4:44: RenderFailed: source.path: "apps/.." leaves the fleet’s root',
    ]);
  });

  it('gives the same result whatever the order of the files', async () => {
    const files: Files = {
      'generators/a.yaml': generator('a'),
      'generators/b.yaml': generator('b', 'clusterSelector: {}, source: {path: apps/b}, dependsOn: [a]'),
      'generators/c.yaml': generator('c', 'source: {}'),
      'apps/a/x.yaml': configMap('x'),
      'apps/a/y.yaml': configMap('y', 'metadata: 3'),
      'apps/b/x.yaml': configMap('x'),
      'apps/b/z.yaml': configMap('z'),
      'clusters/east/w.yaml': configMap('w'),
      'clusters/east/v.yaml': 'v',
    };
    const expected = await render(files);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(Object.entries(files), { minLength: Object.keys(files).length }),
        async (entries) => {
          const state = await render(Object.fromEntries(entries));
          expect([state.objects, faultsOf(state), [...state.generators]]).to.deep.equal([
            expected.objects,
            faultsOf(expected),
            [...expected.generators],
          ]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('parses an unchanged file once, for all clusters and revisions, and shares it without changing it', async () => {
    const files = {
      'generators/web.yaml': generator(
        'web',
        'clusterSelector: {}, source: {path: apps/web}, overrides: [{clusterSelector: {matchLabels: {env: production}}, patches: [{target: {name: a}, merge: {data: {b: "2"}}}]}]',
      ),
      'apps/web/a.yaml': configMap('a'),
      'apps/web/b.yaml': configMap('b'),
    };
    const cache = createRenderCache();
    const snapshot = memorySnapshot(files);
    const repository = await loadFleetRepository(snapshot, cache);
    const options = { fleetName: 'acme', cache, signal: AbortSignal.timeout(20_000) };
    const first = await renderCluster(repository, { name: 'east', labels: {}, annotations: {} }, options);
    deepFreeze(first.objects);
    const second = await renderCluster(
      repository,
      { name: 'west', labels: { env: 'production' }, annotations: {} },
      options,
    );
    expect(second.objects.map(({ manifest }) => manifest['data'])).to.deep.equal([
      { a: '1', b: '2' },
      { a: '1' },
    ]);
    expect(second.objects[1]?.manifest).to.equal(first.objects[1]?.manifest);
    expect(snapshot.reads.filter((path) => path.startsWith('apps/'))).to.have.members([
      'apps/web/a.yaml',
      'apps/web/b.yaml',
    ]);
    const next = memorySnapshot({ ...files, 'apps/web/b.yaml': configMap('b2') });
    const third = await renderCluster(
      await loadFleetRepository(next, cache),
      { name: 'east', labels: {}, annotations: {} },
      options,
    );
    expect(namesOf(third)).to.deep.equal(['ConfigMap/a', 'ConfigMap/b2']);
    expect(next.reads.filter((path) => path.startsWith('apps/'))).to.deep.equal(['apps/web/b.yaml']);
  });

  it('keeps a file that could not be read a fault of that file alone, and reads it again next time', async () => {
    const cache = createRenderCache();
    const files = {
      'generators/web.yaml': generator('web'),
      'apps/web/a.yaml': configMap('a'),
      'apps/web/b.yaml': configMap('b'),
    };
    const snapshot = memorySnapshot(files);
    let broken = true;
    const flaky = {
      ...snapshot,
      read: (path: string) =>
        broken && path === 'apps/web/b.yaml'
          ? Promise.reject(new Error('connection reset'))
          : snapshot.read(path),
    };
    const repository = await loadFleetRepository(flaky, cache);
    const cluster = { name: 'east', labels: {}, annotations: {} };
    const first = await renderCluster(repository, cluster, {
      fleetName: 'acme',
      cache,
      signal: AbortSignal.timeout(20_000),
    });
    expect([namesOf(first), faultsOf(first)]).to.deep.equal([
      ['ConfigMap/a'],
      ['apps/web/b.yaml:1: Internal: connection reset'],
    ]);
    broken = false;
    const second = await renderCluster(repository, cluster, {
      fleetName: 'acme',
      cache,
      signal: AbortSignal.timeout(20_000),
    });
    expect([namesOf(second), faultsOf(second)]).to.deep.equal([['ConfigMap/a', 'ConfigMap/b'], []]);
  });

  it('warns of folders that belong to no registered cluster', async () => {
    const files = {
      'clusters/east/a.yaml': configMap('a'),
      'clusters/est/a.yaml': configMap('a'),
      'clusters/stray.yaml': configMap('b'),
    };
    const repository = await loadFleetRepository(memorySnapshot(files), createRenderCache());
    expect(repositoryWarnings(repository, ['east'])).to.deep.equal([
      "clusters/stray.yaml is of no use: manifests belong in a cluster's folder, clusters/<name>/",
      'clusters/est/ is of no use: no cluster of that name is registered',
    ]);
  });
});
