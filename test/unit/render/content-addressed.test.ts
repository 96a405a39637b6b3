import { expect } from 'chai';

import type { DesiredState } from '../../../src/model/desired.ts';
import type { Labels } from '../../../src/model/selector.ts';
import { createRenderCache } from '../../../src/render/render-cache.ts';
import { renderCluster } from '../../../src/render/render-cluster.ts';
import { loadFleetRepository } from '../../../src/render/repository/load-fleet-repository.ts';
import { configMap, type Files, generator } from './fleet.ts';
import { memorySnapshot } from './memory-snapshot.ts';

const template = 'render: {type: template}';
const files: Files = {
  'generators/plain.yaml': generator(
    'plain',
    'clusterSelector: {}, namespace: shop, source: {path: apps/plain}, overrides: [{clusterSelector: {matchLabels: {tier: gold}}, patches: [{target: {name: p1}, merge: {data: {a: gold}}}]}]',
  ),
  'generators/regional.yaml': generator(
    'regional',
    `clusterSelector: {}, namespace: shop, source: {path: apps/regional}, ${template}`,
  ),
  'generators/tenants.yaml': generator(
    'tenants',
    `clusterSelector: {}, namespace: "{{ item.tenant }}", source: {path: apps/tenant}, ${template}, each: {files: {path: "tenants/*.yaml"}}`,
  ),
  'apps/plain/p1.yaml': configMap('p1'),
  'apps/plain/p2.yaml': configMap('p2'),
  'apps/regional/r.yaml': configMap('r-{{ cluster.labels.region }}'),
  'apps/tenant/t.yaml': configMap('t'),
  'tenants/blue.yaml': 'tenant: blue\n',
  'tenants/green.yaml': 'tenant: green\n',
};

/** A fleet over several revisions, with what each rendering read and how many sources it rendered. */
function fleet() {
  const cache = createRenderCache();
  return async (
    given: Files,
    clusters: Readonly<Record<string, Labels>>,
  ): Promise<{ states: Record<string, DesiredState>; reads: string[]; renderings: number }> => {
    const snapshot = memorySnapshot(given);
    const before = cache.counts.renderings;
    const repository = await loadFleetRepository(snapshot, cache);
    snapshot.reads.length = 0;
    const states: Record<string, DesiredState> = {};
    const options = { fleetName: 'acme', cache, signal: AbortSignal.timeout(20_000) };
    for (const [name, labels] of Object.entries(clusters))
      states[name] = await renderCluster(repository, { name, labels, annotations: {} }, options);
    return { states, reads: snapshot.reads, renderings: cache.counts.renderings - before };
  };
}

const north = { region: 'north', tier: 'gold' };
const south = { region: 'south', tier: 'silver' };

describe('rendering by content', () => {
  it('renders once for all clusters that are alike in what is read, and shares the objects', async () => {
    const { states, renderings, reads } = await fleet()(files, {
      a: north,
      b: { ...north, color: 'red' },
      c: south,
    });
    // plain and each of two tenants once, regional once for each region.
    expect(renderings).to.equal(5);
    expect(reads.sort()).to.deep.equal([
      'apps/plain/p1.yaml',
      'apps/plain/p2.yaml',
      'apps/regional/r.yaml',
      'apps/tenant/t.yaml',
      'tenants/blue.yaml',
      'tenants/green.yaml',
    ]);
    const { a, b, c } = states;
    for (const [index, object] of a!.objects.entries()) expect(b!.objects[index]).to.equal(object);
    const p2 = ({ objects }: DesiredState) => objects.find(({ ref }) => ref.name === 'p2');
    expect(p2(c!)).to.equal(p2(a!));
  });

  it('renders after a commit only what the commit touched', async () => {
    const render = fleet();
    const clusters = { a: north, b: south };
    await render(files, clusters);
    const touched = async (changed: Files): Promise<unknown> => {
      const { reads, renderings } = await render({ ...files, ...changed }, clusters);
      return { reads, renderings };
    };
    expect(await touched({ 'README.md': 'new' })).to.deep.equal({ reads: [], renderings: 0 });
    expect(await touched({ 'apps/plain/p1.yaml': configMap('p3') })).to.deep.equal({
      reads: ['apps/plain/p1.yaml'],
      renderings: 1,
    });
    expect(await touched({ 'tenants/green.yaml': 'tenant: green\nsize: large\n' })).to.deep.equal({
      reads: ['tenants/green.yaml'],
      renderings: 0,
    });
    expect(await touched({ 'tenants/red.yaml': 'tenant: red\n' })).to.deep.equal({
      reads: ['tenants/red.yaml'],
      renderings: 1,
    });
    const patched = files['generators/plain.yaml'] as string;
    expect(await touched({ 'generators/plain.yaml': patched.replace('a: gold', 'a: silver') })).to.deep.equal(
      {
        reads: [],
        renderings: 0,
      },
    );
  });

  it('gives the same from a cache as without one', async () => {
    const render = fleet();
    const clusters = { a: north, b: south };
    const revisions: Files[] = [
      files,
      { ...files, 'apps/plain/p1.yaml': configMap('p3') },
      { ...files, 'tenants/red.yaml': 'tenant: red\n' },
      files,
    ];
    for (const revision of revisions) {
      const { states } = await render(revision, clusters);
      expect(states).to.deep.equal((await fleet()(revision, clusters)).states);
    }
  });
});
