import { expect } from 'chai';

import { scene } from './scene.ts';

describe('a namespace that the cluster needs', () => {
  it('is never pruned, whatever it holds', () => {
    const { deleted, kept } = scene()
      .wants('ConfigMap/new')
      .owns('Namespace/kube-node-lease', 'Namespace/shop')
      .holds('Namespace/kube-node-lease', [])
      .holds('Namespace/shop', [])
      .plan();
    expect({ deleted, kept }).to.deep.equal({
      deleted: ['Namespace/shop'],
      kept: {
        'Namespace/kube-node-lease': 'skipped: the cluster needs this namespace, so it is never pruned',
      },
    });
  });
});
