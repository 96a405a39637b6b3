import { expect } from 'chai';

import { createRenderCache } from '../../src/render/render-cache.ts';
import { memorySnapshot } from '../unit/render/memory-snapshot.ts';
import { manifestsOf, openRenderWorld, originsOf, printedBy, type RenderWorld } from './render-world.ts';

const sources = [
  'web/base',
  'web/overlays/staging',
  'web/overlays/production',
  'secrets',
  'replacements',
  'custom-resources',
  'transformers',
  'environment',
  'environment/rbac',
  'old-syntax/overlay',
  'annotations',
  'flow-style',
].map((name) => `kustomize/${name}`);

describe('a source made for kustomize', () => {
  let world: RenderWorld;
  before(async () => {
    world = await openRenderWorld();
  });
  after(() => world.close());

  for (const path of sources) {
    it(`gives what kubectl kustomize gives for ${path}`, async () => {
      const expected = await printedBy(world.tools.kubectl, ['kustomize', path]);
      expect(expected).to.not.be.empty;
      expect(manifestsOf(await world.kustomize({ path }))).to.deep.equal(expected);
    });
  }

  it('gives what kustomize build gives for charts in the repository, told of the cluster', async () => {
    const path = 'kustomize/inflated';
    const expected = await printedBy(world.tools.kustomize, [
      'build',
      path,
      '--enable-helm',
      `--helm-command=${world.tools.helm}`,
      '--helm-kube-version=1.31.4',
    ]);
    const rendered = await world.kustomize({ path, kubeVersion: '1.31.4' });
    expect(manifestsOf(rendered)).to.deep.equal(expected);
  });

  it('is rendered by kubectl as well as by kustomize', async () => {
    const { kubectl } = world.tools;
    const other = await openRenderWorld({ searchPath: '', paths: { kubectl } });
    try {
      const path = 'kustomize/web/overlays/production';
      const ours = manifestsOf(await other.kustomize({ path }));
      expect(ours).to.deep.equal(manifestsOf(await world.kustomize({ path })));
    } finally {
      await other.close();
    }
  });

  it('knows the file, document and line that each object comes from', async () => {
    const rendered = await world.kustomize({ path: 'kustomize/web/overlays/production' });
    const files = 'kustomize/web';
    expect(originsOf(rendered)).to.deep.equal([
      `Certificate/web at ${files}/components/tls/certificate.yaml:1`,
      `ConfigMap/web-settings-5kg998bcfd at ${files}/base/kustomization.yaml:12`,
      `Deployment/web at ${files}/base/deployment.yaml:2`,
      `HorizontalPodAutoscaler/web at ${files}/overlays/production/autoscaler.yaml:1`,
      `PodDisruptionBudget/web at ${files}/base/service.yaml:11`,
      `Service/web at ${files}/base/service.yaml:1`,
    ]);
    expect(rendered.objects.find(({ ref }) => ref.kind === 'PodDisruptionBudget')?.origin.document).to.equal(
      2,
    );
  });

  it('names the kustomization where asking for origins could change the result', async () => {
    const rendered = await world.kustomize({ path: 'kustomize/annotations' });
    expect(originsOf(rendered)).to.deep.equal([
      'ConfigMap/bare at kustomize/annotations/kustomization.yaml:1',
      'ConfigMap/queue at kustomize/annotations/kustomization.yaml:1',
    ]);
  });

  it('is rendered once for clusters that are alike', async () => {
    const cache = createRenderCache();
    const path = 'kustomize/web/base';
    const first = await world.kustomize({ path, cache, kubeVersion: '1.34.0' });
    expect(await world.kustomize({ path, cache, kubeVersion: '1.36.0' })).to.equal(first);
    expect(cache.counts.renderings).to.equal(1);
  });

  it('warns of hooks that kustomize makes objects of', async () => {
    const hook = 'apiVersion: v1\nkind: Pod\nmetadata: {name: smoke, annotations: {helm.sh/hook: test}}\n';
    const snapshot = memorySnapshot({
      'app/kustomization.yaml': 'helmCharts: [{name: shop}]\n',
      'app/charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'app/charts/shop/values.yaml': '{}\n',
      'app/charts/shop/templates/smoke.yaml': hook,
    });
    const rendered = await world.kustomize({ path: 'app', snapshot });
    expect(manifestsOf(rendered)).to.have.lengthOf(1);
    expect(rendered.warnings).to.deep.equal([
      'demo: hooks of charts are applied like other objects: Pod/smoke (test); skipHooks: true in helmCharts leaves them out',
    ]);
  });
});
