import { expect } from 'chai';

import { owned, wanted } from '../objects.ts';
import { scene } from './scene.ts';

describe('a cluster directory that is gone (invariant 4)', () => {
  const fromDirectory = owned('ConfigMap/a', { generator: 'clusters/berlin' });

  it('is held, since a rename looks just like it', () => {
    const { deleted, kept } = scene().owns(fromDirectory).plan();
    expect({ deleted, kept }).to.deep.equal({
      deleted: [],
      kept: { 'ConfigMap/a': 'held: the whole directory clusters/berlin is gone from Git' },
    });
  });

  it('is held, too, under the name that the cluster bore before', () => {
    const { deleted, kept } = scene()
      .owns(owned('ConfigMap/a', { generator: 'clusters/bonn' }))
      .plan();
    expect({ deleted, kept }).to.deep.equal({
      deleted: [],
      kept: { 'ConfigMap/a': 'held: it came from clusters/bonn, and this cluster is berlin' },
    });
  });

  it('goes once that is approved', () => {
    const gone = scene().owns(fromDirectory);
    expect(gone.approve(gone.plan().holds['ConfigMap/a'] ?? '').plan().deleted).to.deep.equal([
      'ConfigMap/a',
    ]);
  });

  it('is no matter while it has something left', () => {
    const { deleted } = scene()
      .wants(wanted('ConfigMap/b', { generator: 'clusters/berlin' }))
      .owns(fromDirectory)
      .plan();
    expect(deleted).to.deep.equal(['ConfigMap/a']);
  });
});
