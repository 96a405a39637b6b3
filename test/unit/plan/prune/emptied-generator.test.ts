import { expect } from 'chai';

import { owned, wanted } from '../objects.ts';
import { scene } from './scene.ts';

describe('a generator that still exists and gives nothing (invariant 4)', () => {
  it('is held as one, however little it was', () => {
    const { deleted, kept, holds } = scene().generator('web').owns('ConfigMap/a', 'ConfigMap/b').plan();
    expect({ deleted, kept }).to.deep.equal({
      deleted: [],
      kept: {
        'ConfigMap/a': 'held: generator web still exists, but gives nothing any more',
        'ConfigMap/b': 'held: generator web still exists, but gives nothing any more',
      },
    });
    expect(new Set(Object.values(holds)).size).to.equal(1);
  });

  it('goes once that is approved', () => {
    const emptied = scene().generator('web').owns('ConfigMap/a', 'ConfigMap/b');
    const [id = ''] = Object.values(emptied.plan().holds);
    expect(emptied.approve(id).plan().deleted).to.deep.equal(['ConfigMap/a', 'ConfigMap/b']);
  });

  it('is no matter where the generator gives something else, or what it gave is elsewhere now', () => {
    expect(scene().wants('ConfigMap/new').owns('ConfigMap/a').plan().deleted).to.deep.equal(['ConfigMap/a']);
    const moved = scene()
      .generator('web')
      .wants(wanted('ConfigMap/a', { generator: 'other' }))
      .owns('ConfigMap/a');
    expect(moved.plan()).to.deep.equal({ deleted: [], kept: {}, holds: {} });
  });

  it('is a plain wish where the generator is gone from Git', () => {
    const { deleted } = scene()
      .owns(owned('ConfigMap/a', { generator: 'gone' }))
      .plan();
    expect(deleted).to.deep.equal(['ConfigMap/a']);
  });
});
