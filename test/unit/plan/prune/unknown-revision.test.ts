import { expect } from 'chai';

import { owned, wanted } from '../objects.ts';
import { scene } from './scene.ts';

describe('a revision that knows none of the generators here (invariant 4)', () => {
  const both = [owned('ConfigMap/a', { generator: 'base' }), owned('ConfigMap/b', { generator: 'web' })];

  it('is held as a whole, with or without content of its own', () => {
    for (const cluster of [scene(), scene().wants(wanted('ConfigMap/c', { generator: 'other' }))]) {
      const { deleted, kept, holds } = cluster.owns(...both).plan();
      expect(deleted).to.deep.equal([]);
      expect(kept['ConfigMap/a']).to.contain('Git knows none of the 2 generators');
      expect(holds['ConfigMap/a']).to.equal(holds['ConfigMap/b']);
    }
  });

  it('goes once that is approved', () => {
    const gone = scene().owns(...both);
    expect(gone.approve(gone.plan().holds['ConfigMap/a'] ?? '').plan().deleted).to.deep.equal([
      'ConfigMap/a',
      'ConfigMap/b',
    ]);
  });

  it('is a plain wish where one of them is known, or there was but one', () => {
    expect(
      scene()
        .generator('base', 'unmatched')
        .owns(...both)
        .plan().kept['ConfigMap/b'],
    ).to.equal(undefined);
    expect(
      scene()
        .owns(...both.slice(1))
        .plan().deleted,
    ).to.deep.equal(['ConfigMap/b']);
  });
});
