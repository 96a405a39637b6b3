import { expect } from 'chai';
import * as fc from 'fast-check';

import type { ObjectRef } from '../../../src/model/object-ref.ts';
import { compareForCreation, stageCount, stageOf } from '../../../src/plan/stages.ts';
import { nameOf, refOf } from './objects.ts';

const ref: fc.Arbitrary<ObjectRef> = fc.record({
  apiVersion: fc.constantFrom('v1', 'apps/v1', 'apps/v2', 'example.com/v1'),
  kind: fc.constantFrom('Namespace', 'ConfigMap', 'Deployment', 'Widget', 'constructor'),
  namespace: fc.constantFrom('', 'a', 'b', 'Z', 'ä'),
  name: fc.constantFrom('a', 'b', 'a-b', 'B'),
});

describe('the order of creation', () => {
  it('has what others need come first', () => {
    const names = [
      'Widget/w',
      'ValidatingWebhookConfiguration/v',
      'Deployment/d',
      'ConfigMap/c',
      'Namespace/shop',
      'Secret/s',
      'CustomResourceDefinition/widgets.example.com',
    ];
    expect(
      names
        .map((name) => refOf(name))
        .sort(compareForCreation)
        .map(nameOf),
    ).to.deep.equal([
      'CustomResourceDefinition/widgets.example.com',
      'Namespace/shop',
      'ConfigMap/c',
      'Secret/s',
      'Deployment/d',
      'Widget/w',
      'ValidatingWebhookConfiguration/v',
    ]);
  });

  it('knows kinds by their group: a Deployment of others is none of apps', () => {
    expect(stageOf({ apiVersion: 'example.com/v1', kind: 'Deployment' })).to.equal(3);
    expect(stageOf({ apiVersion: 'apps/v1beta2', kind: 'Deployment' })).to.equal(2);
    expect(stageOf({ apiVersion: 'v1', kind: 'constructor' })).to.equal(3);
  });

  it('is total, and the same whatever order comes in', () => {
    fc.assert(
      fc.property(ref, ref, ref, (a, b, c) => {
        expect(Math.sign(compareForCreation(a, b))).to.equal(-Math.sign(compareForCreation(b, a)) + 0);
        if (compareForCreation(a, b) === 0) expect(a).to.deep.equal(b);
        if (compareForCreation(a, b) <= 0 && compareForCreation(b, c) <= 0)
          expect(compareForCreation(a, c)).to.be.at.most(0);
        expect(stageOf(a)).to.be.within(0, stageCount - 1);
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.array(ref), (refs) => {
        const sorted = [...refs].sort(compareForCreation);
        expect([...refs].reverse().sort(compareForCreation)).to.deep.equal(sorted);
      }),
    );
  });
});
