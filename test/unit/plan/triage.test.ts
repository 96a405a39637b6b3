import { expect } from 'chai';

import type { Baseline, OwnedObject } from '../../../src/model/observation.ts';
import { refKey } from '../../../src/model/object-ref.ts';
import type { PreparedObject } from '../../../src/model/plan.ts';
import { triage } from '../../../src/plan/triage.ts';
import { owned, refOf, wanted } from './objects.ts';

const ref = refOf('Deployment/web');
const object: PreparedObject = {
  ref,
  key: refKey(ref),
  body: {},
  origin: wanted('Deployment/web').origin,
  hash: 'h1',
  drift: 'correct',
  adopt: false,
  dependsOn: [],
};
const asLeft = owned('Deployment/web');
const baseline: Baseline = {
  ref,
  uid: asLeft.uid,
  desiredHash: 'h1',
  ownership: asLeft.ownership,
  additions: '',
};

function placeOf(live: OwnedObject | undefined, memory: Baseline | undefined, wish = object): string {
  const sorted = triage([wish], { owned: () => live, baseline: () => memory });
  const places = Object.entries<readonly PreparedObject[]>({ ...sorted }).filter(
    ([, objects]) => objects.length > 0,
  );
  expect(places).to.have.length(1);
  return places[0]![0];
}

/** What differs from an object that is as we left it, and where that sorts it. */
const table: readonly (readonly [
  string,
  {
    readonly live?: Partial<OwnedObject> | 'none';
    readonly memory?: Partial<Baseline> | 'none';
    readonly wish?: Partial<PreparedObject>;
  },
  string,
])[] = [
  ['nothing', {}, 'unchanged'],
  ['only the resourceVersion', { live: { resourceVersion: '99' } }, 'unchanged'],
  [
    'the version in which it is watched',
    { live: { ref: { ...ref, apiVersion: 'apps/v1beta1' } } },
    'unchanged',
  ],
  ['that it is not among our objects', { live: 'none' }, 'unseen'],
  ['that it is neither there nor remembered', { live: 'none', memory: 'none' }, 'unseen'],
  ['that it is being deleted', { live: { deleting: true } }, 'deleting'],
  ['that it is being deleted and drifted', { live: { deleting: true, ownership: 'o2' } }, 'deleting'],
  ['that nothing is remembered of it', { memory: 'none' }, 'suspect'],
  ['its uid', { live: { uid: 'another' } }, 'suspect'],
  ['the fields that we own', { live: { ownership: 'o2' } }, 'suspect'],
  ['that our entry is gone', { live: { ownership: '' } }, 'suspect'],
  ['Git’s wish', { wish: { hash: 'h2' } }, 'suspect'],
  [
    'Git’s wish, which was written by another process',
    { wish: { hash: 'h2' }, live: { desiredHash: 'h2' } },
    'suspect',
  ],
  ['the annotation of the content', { live: { desiredHash: 'x' } }, 'suspect'],
  ['the annotation of the generator', { live: { generator: '' } }, 'suspect'],
  ['the generator in Git', { wish: { origin: { ...object.origin, generator: 'shop' } } }, 'suspect'],
  ['the version in Git', { wish: { ref: { ...ref, apiVersion: 'apps/v2' } } }, 'suspect'],
  ['what people added', { live: { additions: 'x' } }, 'suspect'],
  [
    'nothing, with an addition that is remembered',
    { live: { additions: 'x' }, memory: { additions: 'x' } },
    'suspect',
  ],
  ['an addition that is gone', { memory: { additions: 'x' } }, 'suspect'],
];

describe('sorting objects by what metadata tells (invariant 6)', () => {
  for (const [what, { live, memory, wish }, place] of table) {
    it(`finds one ${place} that differs in ${what}`, () => {
      expect(
        placeOf(
          live === 'none' ? undefined : { ...asLeft, ...live },
          memory === 'none' ? undefined : { ...baseline, ...memory },
          { ...object, ...wish },
        ),
      ).to.equal(place);
    });
  }

  it('keeps the order in which objects were given', () => {
    const objects = ['c', 'a', 'b'].map((key) => ({ ...object, key }));
    const { unseen } = triage(objects, { owned: () => undefined, baseline: () => undefined });
    expect(unseen.map(({ key }) => key)).to.deep.equal(['c', 'a', 'b']);
  });
});
