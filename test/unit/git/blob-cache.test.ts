import { expect } from 'chai';
import { createBlobCache } from '../../../src/git/tree/blob-cache.ts';

describe('the blob cache', () => {
  function counted(): { load: (oid: string) => Promise<Uint8Array>; loads: string[] } {
    const loads: string[] = [];
    return {
      loads,
      load(oid) {
        loads.push(oid);
        return oid === 'bad' ? Promise.reject(new Error('bad')) : Promise.resolve(new Uint8Array(oid.length));
      },
    };
  }

  it('loads once what is asked for twice, one after another or at once', async () => {
    const { load, loads } = counted();
    const cache = createBlobCache(load, 100);
    await Promise.all([cache.get('aa', ''), cache.get('aa', '')]);
    await cache.get('aa', '');
    expect(loads).to.deep.equal(['aa']);
  });

  it('drops what was unused for longest', async () => {
    const { load, loads } = counted();
    const cache = createBlobCache(load, 4);
    for (const oid of ['aa', 'bb', 'aa', 'cc', 'aa', 'bb']) await cache.get(oid, '');
    expect(loads).to.deep.equal(['aa', 'bb', 'cc', 'bb']);
  });

  it('does not keep what is larger than itself, nor failures', async () => {
    const { load, loads } = counted();
    const cache = createBlobCache(load, 4);
    await cache.get('aa', '');
    await cache.get('large', '');
    await cache.get('aa', '');
    expect(loads).to.deep.equal(['aa', 'large']);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await cache.get('bad', '').catch((error: unknown) => error)).to.be.instanceOf(Error);
    }
    expect(loads.filter((oid) => oid === 'bad')).to.have.length(2);
  });
});
