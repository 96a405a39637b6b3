import { expect } from 'chai';

import { BoundedCache } from '../../../src/render/bounded-cache.ts';

describe('BoundedCache', () => {
  it('drops what was not used for longest once the weight is too much', () => {
    const cache = new BoundedCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    expect(cache.get('a')).to.equal('A');
    cache.set('c', 'C', 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).to.deep.equal(['A', undefined, 'C']);
  });

  it('keeps what is set last even where it is too heavy alone, and counts a replaced entry once', () => {
    const cache = new BoundedCache<string>(10);
    cache.set('a', 'A', 6);
    cache.set('a', 'A2', 6);
    cache.set('b', 'B', 4);
    expect([cache.get('a'), cache.get('b')]).to.deep.equal(['A2', 'B']);
    cache.set('big', 'X', 100);
    expect([cache.get('a'), cache.get('b'), cache.get('big'), cache.size]).to.deep.equal([
      undefined,
      undefined,
      'X',
      1,
    ]);
  });
});
