import { expect } from 'chai';

import { configMaps, type Scene, scene } from './scene.ts';

describe('a cluster that stops matching a generator (invariant 4)', () => {
  const unmatched = (): Scene => scene().generator('web', 'unmatched').owns('ConfigMap/a');

  it('keeps its objects until the grace ends, and says when', () => {
    const { deleted, kept } = unmatched().graceEnds('web', 61_000).plan(60_999);
    expect({ deleted, kept }).to.deep.equal({
      deleted: [],
      kept: {
        'ConfigMap/a':
          "pending: the cluster's labels no longer match generator web; removed after 1970-01-01T00:01:01.000Z",
      },
    });
  });

  it('loses them at the very end of the grace', () => {
    expect(unmatched().graceEnds('web', 61_000).plan(61_000).deleted).to.deep.equal(['ConfigMap/a']);
  });

  it('loses all of them without an approval, as far as the count allows', () => {
    const many = (count: number): string[] => [
      ...scene()
        .generator('web', 'unmatched')
        .owns(...configMaps(count))
        .plan().deleted,
    ];
    expect(many(25)).to.have.length(25);
    expect(many(26)).to.deep.equal([]);
  });

  it('keeps them while it matches again', () => {
    const { deleted } = scene().wants('ConfigMap/a').owns('ConfigMap/a').graceEnds('web', 0).plan();
    expect(deleted).to.deep.equal([]);
  });
});
