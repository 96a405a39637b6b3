import { expect } from 'chai';
import type { OwnedObject } from '../../../src/model/observation.ts';
import { keyOf, OwnedStore } from '../../../src/observe/owned-store.ts';

const owned = (name: string, more: Partial<OwnedObject> = {}): OwnedObject => ({
  ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name },
  uid: `uid-${name}`,
  resourceVersion: '1',
  generator: 'frontend',
  desiredHash: 'hash',
  pruneDisabled: false,
  ownership: 'ours',
  additions: '',
  deleting: false,
  version: '1',
  ...more,
});

describe('OwnedStore', () => {
  it('tells what appears, changes in substance and goes', () => {
    const store = new OwnedStore();
    const first = owned('web');
    expect(store.put(first)).to.deep.equal({ ref: first.ref, after: first });
    expect(store.put({ ...first, resourceVersion: '2' })).to.equal(undefined);
    expect(store.get(first.ref)?.resourceVersion).to.equal('2');
    const edited = { ...first, resourceVersion: '3', ownership: 'broken' };
    expect(store.put(edited)).to.deep.equal({
      ref: first.ref,
      before: { ...first, resourceVersion: '2' },
      after: edited,
    });
    expect(store.remove(first.ref)).to.deep.equal({ ref: first.ref, before: edited });
    expect(store.remove(first.ref)).to.equal(undefined);
  });

  it('tells of a write that changes nothing else only where it watches closely', () => {
    const store = new OwnedStore();
    store.put(owned('web'));
    expect(store.put(owned('web', { version: '2' }))).to.equal(undefined);
    expect(store.put(owned('web', { version: '2' }), true)).to.equal(undefined);
    expect(store.put(owned('web', { version: '3' }), true)?.after?.version).to.equal('3');
  });

  for (const change of [
    { uid: 'other' },
    { ownership: '' },
    { additions: 'kubectl' },
    { generator: '' },
    { desiredHash: 'other' },
    { pruneDisabled: true },
    { orphan: true },
    { deleting: true },
  ]) {
    it(`counts ${Object.keys(change).join()} as substance`, () => {
      const store = new OwnedStore();
      store.put(owned('web'));
      expect(store.put(owned('web', change))?.after).to.deep.include(change);
    });
  }

  it('removes what a whole read of one kind did not show, and nothing of another', () => {
    const store = new OwnedStore();
    const secret = owned('web', {
      ref: { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'web' },
    });
    for (const object of [owned('web'), owned('old'), secret]) store.put(object);
    const gone = store.removeOthers('ConfigMap', new Set([keyOf(owned('web').ref)]));
    expect(gone.map(({ ref }) => ref.name)).to.deep.equal(['old']);
    expect([...store.owned()].map(({ ref }) => `${ref.kind}/${ref.name}`)).to.have.members([
      'ConfigMap/web',
      'Secret/web',
    ]);
    store.forget('Secret');
    expect(store.get(secret.ref)).to.equal(undefined);
  });

  it('finds an object under another version of its kind', () => {
    const store = new OwnedStore();
    store.put(
      owned('web', { ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' } }),
    );
    expect(
      store.get({ apiVersion: 'apps/v1beta2', kind: 'Deployment', namespace: 'shop', name: 'web' })?.uid,
    ).to.equal('uid-web');
  });
});
