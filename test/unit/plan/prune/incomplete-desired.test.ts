import { expect } from 'chai';

import { scene } from './scene.ts';

describe('pruning while something could not be read (invariants 1 and 2)', () => {
  it('does not happen while Git has a fault, and names it by its place', () => {
    const { deleted, kept } = scene().wants('ConfigMap/a').owns('ConfigMap/b', 'Secret/c').fault().plan();
    expect({ deleted, kept }).to.deep.equal({
      deleted: [],
      kept: {
        'ConfigMap/b': 'skipped: nothing is pruned while Git has faults: apps/web.yaml:9:3',
        'Secret/c': 'skipped: nothing is pruned while Git has faults: apps/web.yaml:9:3',
      },
    });
  });

  it('counts the faults beyond the first', () => {
    const { kept } = scene().wants('ConfigMap/a').owns('ConfigMap/b').fault().fault().fault().plan();
    expect(kept['ConfigMap/b']).to.equal(
      'skipped: nothing is pruned while Git has faults: apps/web.yaml:9:3 and 2 more',
    );
  });

  it('does not happen while any generator could not be rendered, even one that brought nothing', () => {
    const { deleted } = scene().wants('ConfigMap/a').owns('ConfigMap/b').generator('other', 'failed').plan();
    expect(deleted).to.deep.equal([]);
  });

  it('does not happen to a kind that cannot be listed, and does to the others', () => {
    const { deleted, kept } = scene()
      .wants('ConfigMap/a')
      .owns('ConfigMap/b', 'Deployment/c')
      .unreadable('Deployment.apps')
      .plan();
    expect({ deleted, kept }).to.deep.equal({
      deleted: ['ConfigMap/b'],
      kept: { 'Deployment/c': 'skipped: nothing is pruned while Deployment.apps cannot be listed' },
    });
  });

  it('cannot be approved', () => {
    const { holds } = scene().wants('ConfigMap/a').owns('ConfigMap/b').fault().plan();
    expect(holds).to.deep.equal({});
  });
});
