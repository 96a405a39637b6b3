import { expect } from 'chai';

import type { ServerFacts } from '../../../src/model/server-facts.ts';
import { createRenderCache } from '../../../src/render/render-cache.ts';
import { renderCluster } from '../../../src/render/render-cluster.ts';
import type { Renderer, RenderRequest } from '../../../src/render/renderers/renderer.ts';
import { loadFleetRepository } from '../../../src/render/repository/load-fleet-repository.ts';
import { configMap, faultsOf, type Files, generator, namesOf, statesOf } from './fleet.ts';
import { memorySnapshot } from './memory-snapshot.ts';

const server: ServerFacts = {
  version: '1.36',
  kubeVersion: 'v1.36.3',
  apiVersions: ['example.org/v1', 'example.org/v1/Gadget', 'example.org/v1/Widget', 'v1', 'v1/ConfigMap'],
  clusterScoped: ['Widget.example.org'],
};

interface Asked {
  readonly renderer: string;
  readonly request: RenderRequest;
}

/** Renders with renderers that note what they are asked for, and give one object named after the source's path. */
async function renderWith(files: Files, labels = {}, facts = server) {
  const asked: Asked[] = [];
  const note =
    (renderer: string): Renderer =>
    (request) => {
      asked.push({ renderer, request });
      const ref = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        namespace: '',
        name: request.path.replaceAll('/', '-'),
      };
      const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: ref.name } };
      const origin = { generator: request.generator, file: request.path, document: 1, line: 1 };
      const object = { ref, manifest, origin, defaultNamespace: request.namespace };
      return Promise.resolve({ objects: [object], faults: [], warnings: [`${renderer} was here`] });
    };
  const cache = createRenderCache();
  const repository = await loadFleetRepository(memorySnapshot(files), cache);
  const cluster = { name: 'east', labels, annotations: {}, server: facts };
  const renderers = { kustomize: note('kustomize'), helm: note('helm') };
  const signal = AbortSignal.timeout(20_000);
  const state = await renderCluster(repository, cluster, { fleetName: 'acme', cache, renderers, signal });
  return { state, asked };
}

const web = (more: string): string =>
  generator('web', `clusterSelector: {}, source: {path: apps/web}, namespace: shop${more}`);

describe('renderSource', () => {
  const made: readonly (readonly [string, Files, string])[] = [
    ['a kustomization', { 'apps/web/kustomization.yaml': '' }, 'kustomize'],
    ['a kustomization of another name', { 'apps/web/Kustomization': '' }, 'kustomize'],
    [
      'a chart, whatever charts are in it',
      { 'apps/web/Chart.yaml': '', 'apps/web/charts/x/Chart.yaml': '' },
      'helm',
    ],
    [
      'a chart with a kustomization below',
      { 'apps/web/Chart.yaml': '', 'apps/web/x/kustomization.yaml': '' },
      'helm',
    ],
  ];
  for (const [name, files, renderer] of made) {
    it(`gives ${name} to ${renderer}`, async () => {
      const { state, asked } = await renderWith({ ...files, 'generators/web.yaml': web('') });
      expect(asked.map((each) => each.renderer)).to.deep.equal([renderer]);
      expect([namesOf(state), faultsOf(state), state.warnings]).to.deep.equal([
        ['ConfigMap/apps-web'],
        [],
        [`${renderer} was here`],
      ]);
    });
  }

  const unclear: readonly (readonly [string, Files, string])[] = [
    [
      'a folder below that is made for another renderer',
      { 'apps/web/a.yaml': configMap('a'), 'apps/web/base/kustomization.yaml': '' },
      'apps/web/base/kustomization.yaml:1: RenderFailed: this folder in the source is made for kustomize; name it in source.path, or set render.type: plain to read its files as they are',
    ],
    [
      'a folder that is made for two renderers',
      { 'apps/web/Chart.yaml': '', 'apps/web/kustomization.yaml': '' },
      'apps/web/kustomization.yaml:1: RenderFailed: the source is made for kustomize, and apps/web/Chart.yaml makes it one for helm; set render.type',
    ],
  ];
  for (const [name, files, fault] of unclear) {
    it(`asks what is meant by ${name}`, async () => {
      const { state, asked } = await renderWith({ ...files, 'generators/web.yaml': web('') });
      expect([asked, namesOf(state), faultsOf(state)]).to.deep.equal([[], [], [fault]]);
    });
  }

  it('does what render.type says, whatever the files', async () => {
    const files = { 'apps/web/kustomization.yaml': configMap('a'), 'apps/web/Chart.yaml': configMap('b') };
    const plain = await renderWith({ ...files, 'generators/web.yaml': web(', render: {type: plain}') });
    expect([plain.asked, namesOf(plain.state)]).to.deep.equal([[], ['ConfigMap/a', 'ConfigMap/b']]);
    const helm = await renderWith({ ...files, 'generators/web.yaml': web(', render: {type: helm}') });
    expect(helm.asked.map(({ renderer }) => renderer)).to.deep.equal(['helm']);
  });

  it('needs a folder for a tool', async () => {
    const file = generator('web', 'clusterSelector: {}, source: {path: a.yaml}, render: {type: helm}');
    const { state } = await renderWith({ 'a.yaml': '', 'generators/web.yaml': file });
    expect(faultsOf(state)).to.deep.equal([
      'a.yaml:1: RenderFailed: render.type is helm, which needs a folder, and this is none',
    ]);
  });

  it('hands a chart its values as they are for the cluster, and what the cluster can do', async () => {
    const helm = `{releaseName: "{{ cluster.name }}-web", valuesFiles: ["{{ cluster.labels.env }}.yaml", {path: /all.yaml, optional: true}], values: {replicas: "{{ params.replicas }}", host: "{{ cluster.name }}.example.com", list: ["{{ params.zones }}"], plain: 3}, apiVersions: [extra/v1]}`;
    const { asked } = await renderWith(
      {
        'apps/web/Chart.yaml': '',
        'generators/web.yaml': web(
          `, parameters: {replicas: 2, zones: [a, b]}, render: {helm: ${helm}}, overrides: [{clusterSelector: {matchLabels: {env: prod}}, parameters: {replicas: 5}}]`,
        ),
      },
      { env: 'prod' },
    );
    const request = asked[0]?.request;
    expect([request?.helm, request?.capabilities]).to.deep.equal([
      {
        releaseName: 'east-web',
        valuesFiles: [
          { path: 'prod.yaml', optional: false },
          { path: '/all.yaml', optional: true },
        ],
        values: { replicas: 5, host: 'east.example.com', list: [['a', 'b']], plain: 3 },
        includeCRDs: true,
        hooks: 'skip',
      },
      { kubeVersion: 'v1.36.3', apiVersions: [...server.apiVersions, 'extra/v1'] },
    ]);
  });

  it('patches what a tool gives as it does all else', async () => {
    const patch = '{target: {name: "apps-*"}, merge: {data: {a: b}}}';
    const { state } = await renderWith({
      'apps/web/Chart.yaml': '',
      'generators/web.yaml': web(`, overrides: [{clusterSelector: {}, patches: [${patch}]}]`),
    });
    expect(state.objects.map(({ manifest }) => manifest['data'])).to.deep.equal([{ a: 'b' }]);
  });

  it('renders a cluster’s own folder like any source', async () => {
    const { asked } = await renderWith({ 'clusters/east/kustomization.yaml': '' });
    expect(asked.map(({ renderer, request }) => [renderer, request.path, request.generator])).to.deep.equal([
      ['kustomize', 'clusters/east', 'clusters/east'],
    ]);
  });
});

describe('the scope of kinds', () => {
  const kinds = (kind: string): Files => ({
    'generators/one.yaml': generator('one', 'clusterSelector: {}, source: {path: apps/one}, namespace: n1'),
    'generators/two.yaml': generator('two', 'clusterSelector: {}, source: {path: apps/two}, namespace: n2'),
    'apps/one/a.yaml': `{apiVersion: example.org/v1, kind: ${kind}, metadata: {name: x}}`,
    'apps/two/a.yaml': `{apiVersion: example.org/v1, kind: ${kind}, metadata: {name: x}}`,
  });

  it('is as the cluster says: what lives in no namespace is one object', async () => {
    const { state } = await renderWith(kinds('Widget'));
    expect(statesOf(state)).to.deep.equal({ one: 'failed', two: 'failed' });
    expect(faultsOf(state)).to.deep.equal([
      'apps/two/a.yaml:1: ManifestInvalid: Widget/x is also defined at apps/one/a.yaml:1 (one); neither is applied',
    ]);
    expect(faultsOf((await renderWith(kinds('Gadget'))).state)).to.deep.equal([]);
  });

  it('is namespaced where nobody knows, and nothing is warned of then', async () => {
    const files = {
      'generators/one.yaml': generator('one'),
      'apps/one/a.yaml': `{apiVersion: example.org/v1, kind: Gadget, metadata: {name: x}}`,
    };
    expect((await renderWith(files)).state.warnings).to.deep.equal([
      'one: 1 object goes to the namespace default, since neither the manifest nor the generator names one: Gadget/x at apps/one/a.yaml:1',
    ]);
    expect(
      (
        await renderWith({
          ...files,
          'apps/one/a.yaml': files['apps/one/a.yaml'].replace('example.org', 'example.net'),
        })
      ).state.warnings,
    ).to.deep.equal([]);
  });
});

describe('facts of a server', () => {
  const files: Files = {
    'generators/web.yaml': generator(
      'web',
      `clusterSelector: {}, source: {path: apps/web}, namespace: shop, when: 'cluster.version == "1.36" && "v1/ConfigMap" in cluster.apiVersions'`,
    ),
    'apps/web/a.yaml': configMap('a'),
  };

  it('decide once the cluster was reached', async () => {
    expect(statesOf((await renderWith(files)).state)).to.deep.equal({ web: 'rendered' });
    const old = { ...server, version: '1.30' };
    expect(statesOf((await renderWith(files, {}, old)).state)).to.deep.equal({ web: 'unmatched' });
  });

  it('are an error before, so that nothing is taken for gone', async () => {
    const cache = createRenderCache();
    const repository = await loadFleetRepository(memorySnapshot(files), cache);
    const cluster = { name: 'east', labels: {}, annotations: {} };
    const options = { fleetName: 'acme', cache, signal: AbortSignal.timeout(20_000) };
    const state = await renderCluster(repository, cluster, options);
    expect([statesOf(state), faultsOf(state)]).to.deep.equal([
      { web: 'failed' },
      [
        'generators/web.yaml:4:78: FactsUnknown: when: cluster.version is not known, since the cluster has not been reached yet',
      ],
    ]);
  });
});
