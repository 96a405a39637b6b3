import { expect } from 'chai';

import { prepareObject } from '../../../../src/plan/prepare-object.ts';
import { nameOf, owned, refOf, wanted } from '../objects.ts';
import { configMaps, type Scene, scene } from './scene.ts';

/** 'orphan ConfigMap/a' or 'delete ConfigMap/a', in order of names. */
function leaving(scenery: Scene): string[] {
  return scenery
    .writes()
    .flatMap((write) =>
      write.action === 'delete'
        ? [`${write.orphan === true ? 'orphan' : 'delete'} ${nameOf(write.owned.ref)}`]
        : [],
    )
    .sort();
}

describe('objects that stay when Git drops them', () => {
  it('say so themselves', () => {
    const scenery = scene()
      .wants('ConfigMap/a')
      .owns(owned('ConfigMap/b', { orphan: true }), owned('ConfigMap/c'));
    expect(leaving(scenery)).to.deep.equal(['delete ConfigMap/c', 'orphan ConfigMap/b']);
  });

  it('are those of a generator that says so by now, but for what says otherwise', () => {
    const scenery = scene()
      .generator('web', 'rendered', { deletion: 'orphan' })
      .wants('ConfigMap/a')
      .owns('ConfigMap/b', owned('ConfigMap/c', { orphan: false }));
    expect(leaving(scenery)).to.deep.equal(['delete ConfigMap/c', 'orphan ConfigMap/b']);
  });

  it('are not counted as deletions', () => {
    const names = configMaps(60).map((name) => owned(name, { orphan: true }));
    expect(
      leaving(
        scene()
          .wants('ConfigMap/new')
          .owns(...names),
      ),
    ).to.have.length(60);
  });

  it('still wait for whatever keeps anything from being pruned', () => {
    const one = owned('ConfigMap/b', { orphan: true });
    expect(leaving(scene().wants('ConfigMap/a').owns(one).fault())).to.deep.equal([]);
    expect(leaving(scene().wants('ConfigMap/a').owns(one).policy({ prune: false }))).to.deep.equal([]);
  });

  it('hold the deletion of the namespace that they are in, and none for their own', () => {
    const { deleted, kept } = scene()
      .wants(wanted('ConfigMap/new'))
      .owns('Namespace/shop', owned('ConfigMap/b', { orphan: true }))
      .holds('Namespace/shop', [refOf('ConfigMap/b')])
      .plan();
    expect(deleted).to.deep.equal(['ConfigMap/b']);
    expect(kept['Namespace/shop']).to.match(/^held: .*ConfigMap\/b in shop$/);
    const itself = scene()
      .wants('ConfigMap/new')
      .owns(owned('Namespace/shop', { orphan: true }));
    expect(leaving(itself.holds('Namespace/shop', [refOf('Secret/theirs')]))).to.deep.equal([
      'orphan Namespace/shop',
    ]);
  });

  it('carry the word of their generator, which is a part of what Git wants', () => {
    const prepare = (deletion?: 'delete' | 'orphan'): ReturnType<typeof prepareObject> =>
      prepareObject(wanted('ConfigMap/a'), {
        scope: 'namespaced',
        applySetId: 'ours',
        driftPolicy: 'correct',
        deletion,
      });
    const annotations = (object: ReturnType<typeof prepareObject>): unknown =>
      (object.body['metadata'] as { annotations: Record<string, unknown> }).annotations[
        'fleetwright.dev/deletion'
      ];
    expect(annotations(prepare('orphan'))).to.equal('orphan');
    expect(annotations(prepare())).to.equal(undefined);
    expect(prepare('orphan').hash).not.to.equal(prepare().hash);
    expect(prepare('orphan').hash).to.equal(prepare('orphan').hash);
  });
});
