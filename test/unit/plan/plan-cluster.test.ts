import { expect } from 'chai';

import { planCluster } from '../../../src/plan/plan-cluster.ts';
import { nameOf, owned } from './objects.ts';
import { scene } from './prune/scene.ts';

describe('the plan of a cluster', () => {
  it('settles what metadata proved, without a write', () => {
    const { plan, drifts } = planCluster(scene().wants('ConfigMap/a').owns('ConfigMap/a').input());
    expect(plan.stages).to.deep.equal([]);
    expect(plan.settled.map(({ action, ref }) => `${action} ${nameOf(ref)}`)).to.deep.equal([
      'unchanged ConfigMap/a',
    ]);
    expect(drifts).to.deep.equal([]);
  });

  it('waits for what is being deleted', () => {
    const input = scene().wants('ConfigMap/a').input();
    const triage = { unchanged: [], suspect: [], unseen: [], deleting: input.preparation.objects };
    expect(planCluster({ ...input, triage }).plan.settled.map(({ action }) => action)).to.deep.equal([
      'pending',
    ]);
  });

  it('fails an object that nobody looked at, instead of leaving it out', () => {
    const input = scene().wants('ConfigMap/a').creates().input();
    const [change] = planCluster({ ...input, observations: new Map() }).plan.settled;
    expect(change?.action === 'failed' && change.error.code).to.equal('Internal');
  });

  it('tells what Git no longer has as extra: on its way out, waiting, or left', () => {
    const { drifts } = planCluster(
      scene()
        .wants('ConfigMap/new')
        .generator('emptied')
        .owns(
          'ConfigMap/a',
          owned('ConfigMap/b', { pruneDisabled: true }),
          owned('ConfigMap/c', { generator: 'emptied' }),
        )
        .input(),
    );
    expect(drifts.map(({ ref, kind, action, reason }) => [nameOf(ref), kind, action, reason])).to.deep.equal([
      ['ConfigMap/a', 'extra', 'pending', undefined],
      ['ConfigMap/b', 'extra', 'reported', 'it carries fleetwright.dev/prune: disabled'],
      ['ConfigMap/c', 'extra', 'pending', 'generator emptied still exists, but gives nothing any more'],
    ]);
  });

  it('names the generator of what Git no longer has (invariant 10)', () => {
    const [write] = scene().wants('ConfigMap/new').owns('ConfigMap/a').writes();
    expect(write?.action === 'delete' && write.origin.generator).to.equal('web');
  });
});
