import { expect } from 'chai';

import { faultsOf, generator, render } from '../fleet.ts';

const objects = `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: a, namespace: other}
spec: {replicas: 1, template: {spec: {priorityClassName: low, containers: [{name: x}]}}}
`;

async function patched(patches: string, labels = {}) {
  return await render(
    {
      'generators/web.yaml': generator(
        'web',
        `clusterSelector: {}, namespace: shop, source: {path: apps/web}, overrides: [${patches}]`,
      ),
      'apps/web/all.yaml': objects,
    },
    labels,
  );
}

const patch = (target: string, merge: string, more = ''): string =>
  `{clusterSelector: {}, patches: [{target: ${target}, merge: ${merge}${more}}]}`;

describe('overrides', () => {
  it('apply where their selector matches, in order', async () => {
    const spec = `{clusterSelector: {matchLabels: {env: production}}, patches: [{target: {kind: Deployment, name: a}, merge: {spec: {replicas: 5, template: {spec: {priorityClassName: null}}}}}]}, ${patch('{kind: Deployment}', '{metadata: {labels: {x: z}}}')}`;
    const production = await patched(spec, { env: 'production' });
    expect(faultsOf(production)).to.deep.equal([]);
    expect(production.objects.find(({ ref }) => ref.kind === 'Deployment')?.manifest).to.deep.include({
      metadata: { name: 'a', namespace: 'other', labels: { x: 'z' } },
      spec: { replicas: 5, template: { spec: { containers: [{ name: 'x' }] } } },
    });
    const staging = await patched(spec, { env: 'staging' });
    expect(staging.objects.find(({ ref }) => ref.kind === 'Deployment')?.manifest['spec']).to.deep.include({
      replicas: 1,
    });
  });

  it('keep every key, also those that are special in JavaScript', async () => {
    const state = await patched(
      patch(
        '{kind: ConfigMap}',
        '{data: {a: "1", constructor: "2", b: "3", prototype: "4", __proto__: "5"}}',
      ),
    );
    expect(JSON.stringify(state.objects[0]?.manifest['data'])).to.equal(
      '{"a":"1","constructor":"2","b":"3","prototype":"4","__proto__":"5"}',
    );
  });

  const targets: readonly (readonly [string, readonly string[]])[] = [
    ['{name: a}', ['ConfigMap', 'Deployment']],
    ['{group: apps}', ['Deployment']],
    ['{group: ""}', ['ConfigMap']],
    ['{apiVersion: apps/v1, kind: Deployment}', ['Deployment']],
    ['{namespace: shop}', ['ConfigMap']],
    ['{namespace: other}', ['Deployment']],
  ];
  for (const [target, kinds] of targets) {
    it(`find what the target ${target} names`, async () => {
      const state = await patched(patch(target, '{metadata: {annotations: {hit: "yes"}}}'));
      const hit = state.objects.filter(({ manifest }) => JSON.stringify(manifest).includes('"hit"'));
      expect(hit.map(({ ref }) => ref.kind).sort()).to.deep.equal(kinds);
    });
  }

  it('are a fault where their target is nothing, unless that is said to be optional', async () => {
    expect(faultsOf(await patched(patch('{kind: Service, name: a}', '{}')))).to.deep.equal([
      'generators/web.yaml:4:117: RenderFailed: no object of this source is kind Service, name a; set optional: true where that is meant',
    ]);
    expect(faultsOf(await patched(patch('{kind: Service}', '{}', ', optional: true')))).to.deep.equal([]);
  });

  it('may not make another object of it, nor an invalid one', async () => {
    const renamed = await patched(patch('{kind: ConfigMap}', '{metadata: {name: b}}'));
    expect(faultsOf(renamed)).to.deep.equal([
      'generators/web.yaml:4:144: RenderFailed: ConfigMap/a: a patch may not change what the object is: it makes ConfigMap/b of it',
    ]);
    const labelled = await patched(patch('{kind: ConfigMap}', '{metadata: {labels: {x: 1}}}'));
    expect(faultsOf(labelled)[0]).to.match(
      /RenderFailed: ConfigMap\/a: label x must be text, not the number 1; quote it$/,
    );
  });
});
