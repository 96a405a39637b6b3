import { expect } from 'chai';

import { owned, refOf, wanted } from '../objects.ts';
import { configMaps, type Scene, scene } from './scene.ts';

describe('the order of the prune guards', () => {
  const objection = (cluster: Scene, now?: number): string | undefined =>
    cluster.plan(now).kept['ConfigMap/a']?.split(': ')[0];
  const directory = owned('ConfigMap/a', { generator: 'clusters/berlin', deleting: true });

  it('has a fault come before everything that a person could approve or wait for', () => {
    const emptied = scene().generator('web').owns('ConfigMap/a');
    expect(objection(emptied)).to.equal('held');
    expect(objection(emptied.fault())).to.equal('skipped');
    expect(objection(scene().owns(directory).fault())).to.equal('skipped');
  });

  it('has opting out come before grace and holds', () => {
    const optedOut = owned('ConfigMap/a', { pruneDisabled: true });
    expect(objection(scene().generator('web').owns(optedOut))).to.equal('skipped');
    expect(
      objection(scene().generator('web', 'unmatched').owns(optedOut).graceEnds('web', 9_000), 1_000),
    ).to.equal('skipped');
  });

  it('has deletion under way come before holds', () => {
    expect(objection(scene().owns(directory))).to.equal('pending');
  });

  it('has the reason of a hold come before the limits', () => {
    const names = configMaps(30);
    const { kept } = scene()
      .generator('web')
      .owns(...names)
      .plan();
    expect(new Set(Object.values(kept))).to.deep.equal(
      new Set(['held: generator web still exists, but gives nothing any more']),
    );
  });

  it('lets an approved hold pass the limits: it was shown whole', () => {
    const emptied = scene()
      .generator('web')
      .owns(...configMaps(30));
    const [id = ''] = Object.values(emptied.plan().holds);
    expect(emptied.approve(id).plan().deleted).to.have.length(30);
  });
});

describe('an approval', () => {
  const held = (...names: string[]): Scene =>
    scene()
      .generator('web')
      .owns(...names);
  const idOf = (cluster: Scene): string => Object.values(cluster.plan().holds)[0] ?? '';
  const id = idOf(held('ConfigMap/a', 'ConfigMap/b'));

  it('does not depend on the order in which objects are known', () => {
    expect(idOf(held('ConfigMap/b', 'ConfigMap/a'))).to.equal(id);
  });

  it('expires when an object joins, leaves or is another of its name', () => {
    const others = [
      held('ConfigMap/a', 'ConfigMap/b', 'ConfigMap/c'),
      held('ConfigMap/a'),
      held('ConfigMap/a').owns(owned('ConfigMap/b', { uid: 'another' })),
      held('ConfigMap/a', 'Secret/b'),
    ];
    for (const other of others) {
      expect(idOf(other)).to.not.equal(id);
      expect(other.approve(id).plan().deleted).to.deep.equal([]);
    }
  });

  it('is for one reason: the same objects held for another have another name', () => {
    const limited = scene()
      .wants('ConfigMap/new')
      .owns('ConfigMap/a', 'ConfigMap/b')
      .policy({ pruneLimit: { count: 1, percent: 100, minimum: 0 } });
    expect(idOf(limited)).to.not.equal(id);
  });

  it('is for one cluster', () => {
    const { holds } = held('ConfigMap/a', 'ConfigMap/b').plan();
    expect(holds['ConfigMap/a']).to.equal(id);
    const paris = held('ConfigMap/a', 'ConfigMap/b').in('paris').plan();
    expect(paris.holds['ConfigMap/a']).to.not.equal(id);
  });
});

describe('why something is deleted', () => {
  const reasons = (cluster: Scene): readonly string[] =>
    cluster.writes().flatMap((write) => (write.action === 'delete' ? [write.reason] : []));

  it('is said for each way in which Git can lose it', () => {
    expect(reasons(scene().wants('ConfigMap/new').owns('ConfigMap/a'))).to.deep.equal([
      'web no longer gives it',
    ]);
    expect(reasons(scene().owns(owned('ConfigMap/a', { generator: 'gone' })))).to.deep.equal([
      'gone is gone from Git',
    ]);
    expect(reasons(scene().generator('web', 'unmatched').owns('ConfigMap/a'))).to.deep.equal([
      "the cluster's labels no longer match generator web",
    ]);
    expect(reasons(scene().owns(owned('ConfigMap/a', { generator: '' })))).to.deep.equal([
      'what brought it is gone from Git',
    ]);
  });
});

describe('the stages of deletion', () => {
  it('come after all writes, in reverse: what depends goes before what it depends on', () => {
    const cluster = scene()
      .wants('Namespace/new', wanted('Deployment/new'), 'Widget/new')
      .owns(
        'Namespace/old',
        'Deployment/old',
        'ConfigMap/old',
        'Widget/old',
        'ValidatingWebhookConfiguration/old',
      )
      .policy({ pruneLimit: { count: 100, percent: 100, minimum: 0 } })
      .holds('Namespace/old', [refOf('ConfigMap/old')])
      .creates();
    expect(
      cluster.writes().map((write) => {
        const { kind, name } = write.action === 'delete' ? write.owned.ref : write.object.ref;
        return `${write.action} ${kind}/${name}`;
      }),
    ).to.deep.equal([
      'create Namespace/new',
      'create Deployment/new',
      'create Widget/new',
      'delete ValidatingWebhookConfiguration/old',
      'delete Widget/old',
      'delete Deployment/old',
      'delete ConfigMap/old',
      'delete Namespace/old',
    ]);
  });
});
