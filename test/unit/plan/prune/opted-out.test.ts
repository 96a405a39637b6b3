import { expect } from 'chai';

import { owned, wanted } from '../objects.ts';
import { scene } from './scene.ts';

describe('opting out of pruning (invariant 3)', () => {
  it('is up to each object', () => {
    const { deleted, kept } = scene()
      .wants('ConfigMap/a')
      .owns(owned('ConfigMap/b', { pruneDisabled: true }), 'ConfigMap/c')
      .plan();
    expect({ deleted, kept }).to.deep.equal({
      deleted: ['ConfigMap/c'],
      kept: { 'ConfigMap/b': 'skipped: it carries fleetwright.dev/prune: disabled' },
    });
  });

  for (const [fleet, generator, prunes] of [
    [true, undefined, true],
    [true, false, false],
    [false, undefined, false],
    [false, true, true],
  ] as const) {
    it(`${prunes ? 'does not hold' : 'holds'} where the fleet says ${fleet} and the generator ${generator}`, () => {
      const { deleted } = scene()
        .generator('web', 'rendered', generator === undefined ? {} : { prune: generator })
        .wants('ConfigMap/a')
        .owns('ConfigMap/b')
        .policy({ prune: fleet })
        .plan();
      expect(deleted).to.deep.equal(prunes ? ['ConfigMap/b'] : []);
    });
  }

  it('holds for what a generator brought that is gone, as the fleet says', () => {
    const { deleted } = scene()
      .wants(wanted('ConfigMap/a'))
      .owns(owned('ConfigMap/b', { generator: 'gone' }))
      .policy({ prune: false })
      .plan();
    expect(deleted).to.deep.equal([]);
  });

  it('is not asked about what is being deleted: that is not deleted twice', () => {
    const { deleted, kept } = scene()
      .wants('ConfigMap/a')
      .owns(owned('ConfigMap/b', { deleting: true }))
      .plan();
    expect({ deleted, kept }).to.deep.equal({
      deleted: [],
      kept: { 'ConfigMap/b': 'pending: it is being deleted; a finalizer may keep it' },
    });
  });
});
