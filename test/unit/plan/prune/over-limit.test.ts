import { expect } from 'chai';

import { owned, wanted } from '../objects.ts';
import { configMaps, type Scene, scene } from './scene.ts';

/** A cluster with `owns` ConfigMaps of the generator web, of which Git no longer has `loses`. */
function losing(loses: number, owns: number): Scene {
  const names = configMaps(owns);
  return scene()
    .wants('ConfigMap/new', ...names.slice(loses))
    .owns(...names);
}

describe('too many deletions at once (invariant 4)', () => {
  for (const [loses, owns, held] of [
    [25, 125, false], // just 20 percent, just the count
    [26, 1_000, true], // one above the count
    [26, 130, true],
    [5, 25, false], // just 20 percent
    [6, 29, true], // above 20 percent
    [5, 24, true], // the minimum, above 20 percent
    [4, 5, false], // below the minimum, whatever the share
    [4, 4, false],
    [5, 5, true],
  ] as const) {
    it(`${held ? 'holds' : 'lets through'} ${loses} of ${owns}`, () => {
      const { deleted, holds } = losing(loses, owns).plan();
      expect({ deleted: deleted.length, held: Object.keys(holds).length }).to.deep.equal(
        held ? { deleted: 0, held: loses } : { deleted: loses, held: 0 },
      );
    });
  }

  it('says how many of what, and holds them as one', () => {
    const { kept, holds } = losing(6, 12).plan();
    expect(kept['ConfigMap/cm-0']).to.equal(
      'held: 6 of 12 objects (more than 20 %) of generator web would be deleted',
    );
    expect(new Set(Object.values(holds)).size).to.equal(1);
  });

  it('goes by the limit of the generator where it sets one', () => {
    const limit = { count: 1, percent: 100, minimum: 0 };
    const strict = losing(2, 100).generator('web', 'rendered', { pruneLimit: limit }).plan();
    expect(strict.deleted).to.deep.equal([]);
    expect(strict.kept['ConfigMap/cm-0']).to.equal(
      'held: 2 objects (more than 1) of generator web would be deleted',
    );
  });

  it('may be turned to none at all, and to no limit', () => {
    expect(
      losing(1, 100)
        .policy({ pruneLimit: { count: 0, percent: 0, minimum: 0 } })
        .plan().deleted,
    ).to.deep.equal([]);
    expect(
      losing(100, 100)
        .policy({ pruneLimit: { count: 1_000, percent: 100, minimum: 0 } })
        .plan().deleted,
    ).to.have.length(100);
  });

  it('counts the whole cluster where no generator alone is above its limit', () => {
    const generators = ['one', 'two', 'three', 'four', 'five'];
    const cluster = scene();
    for (const generator of generators) {
      cluster.wants(...configMaps(96, generator).map((name) => wanted(name, { generator })));
      cluster.owns(
        ...configMaps(96, generator).map((name) => owned(name, { generator })),
        ...configMaps(6, `${generator}-gone`).map((name) => owned(name, { generator })),
      );
    }
    const { deleted, kept } = cluster.plan();
    expect(deleted).to.deep.equal([]);
    expect(kept['ConfigMap/one-gone-0']).to.equal(
      'held: 30 objects (more than 25) of the cluster would be deleted',
    );
  });

  it('does not count a share of a generator that is gone from Git: all of it was meant', () => {
    const gone = configMaps(25).map((name) => owned(name, { generator: 'gone' }));
    const cluster = (count: number): readonly string[] =>
      scene()
        .wants('ConfigMap/new')
        .owns(...gone, ...configMaps(count, 'more').map((name) => owned(name, { generator: 'gone' })))
        .plan().deleted;
    expect(cluster(0)).to.have.length(25);
    expect(cluster(1)).to.deep.equal([]);
  });

  it('does count a share of what no longer tells its generator', () => {
    const { deleted } = scene()
      .wants('ConfigMap/new')
      .owns(...configMaps(6).map((name) => owned(name, { generator: '' })))
      .plan();
    expect(deleted).to.deep.equal([]);
  });

  it('counts only what no other guard keeps', () => {
    const names = configMaps(10);
    const { deleted } = scene()
      .wants('ConfigMap/new', ...configMaps(20, 'stays'))
      .owns(...configMaps(20, 'stays'))
      .owns(...names.slice(0, 6).map((name) => owned(name, { pruneDisabled: true })))
      .owns(...names.slice(6))
      .plan();
    expect(deleted).to.deep.equal([...names.slice(6)].sort());
  });

  it('counts a hold of one generator alone, and lets the others through', () => {
    const { deleted, holds } = losing(6, 12)
      .wants(wanted('ConfigMap/other', { generator: 'shop' }))
      .owns(owned('ConfigMap/gone', { generator: 'shop' }))
      .plan();
    expect(deleted).to.deep.equal(['ConfigMap/gone']);
    expect(Object.keys(holds)).to.have.length(6);
  });
});
