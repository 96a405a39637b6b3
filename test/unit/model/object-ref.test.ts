import { expect } from 'chai';
import * as fc from 'fast-check';

import {
  compareRefs,
  formatRef,
  groupKindOf,
  groupOf,
  type ObjectRef,
  refKey,
  versionOf,
} from '../../../src/model/object-ref.ts';

const web: ObjectRef = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const namespace: ObjectRef = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'shop' };

describe('a ref', () => {
  it('has the group and version of its apiVersion', () => {
    expect([groupOf('v1'), versionOf('v1'), groupOf('apps/v1'), versionOf('apps/v1')]).to.deep.equal([
      '',
      'v1',
      'apps',
      'v1',
    ]);
    expect([groupKindOf(web), groupKindOf(namespace)]).to.deep.equal(['Deployment.apps', 'Namespace']);
  });

  it('has one key in every version, and another for any other object', () => {
    expect(refKey(web)).to.equal('Deployment.apps/shop/web');
    expect(refKey({ ...web, apiVersion: 'apps/v2' })).to.equal(refKey(web));
    const others = [
      { ...web, apiVersion: 'example.com/v1' },
      { ...web, kind: 'StatefulSet' },
      { ...web, namespace: 'other' },
      { ...web, name: 'other' },
    ];
    for (const other of others) expect(refKey(other)).to.not.equal(refKey(web));
  });

  it('reads as people speak', () => {
    expect([formatRef(web), formatRef(namespace)]).to.deep.equal([
      'Deployment/web in shop',
      'Namespace/shop',
    ]);
  });

  it('has a place in a total order', () => {
    const text = fc.constantFrom('', 'a', 'b', 'B', 'ä', '-');
    const ref = fc.record({ apiVersion: text, kind: text, namespace: text, name: text });
    fc.assert(
      fc.property(fc.array(ref), (refs) => {
        const sorted = [...refs].sort(compareRefs);
        expect([...refs].reverse().sort(compareRefs)).to.deep.equal(sorted);
        for (const [index, each] of sorted.entries())
          expect(compareRefs(sorted[index - 1] ?? each, each)).to.be.at.most(0);
      }),
    );
  });
});
