import { expect } from 'chai';

import { arrayAt, jsonEqual, type JsonValue, objectAt, stringAt, valueAt } from '../../../src/model/json.ts';
import { defined } from '../../../src/model/defined.ts';

describe('reading JSON', () => {
  const value = JSON.parse('{"a": {"b": "x", "list": [1], "none": null}, "__proto__": {"c": 1}}') as unknown;

  it('walks a chain of keys, and stops where one is missing or holds no object', () => {
    expect(valueAt(value, 'a', 'b')).to.equal('x');
    expect(valueAt(value, 'a', 'none')).to.equal(null);
    expect(valueAt(value, 'a', 'none', 'more')).to.equal(undefined);
    expect(valueAt(value, 'a', 'list', '0')).to.equal(undefined);
    expect(valueAt(value, '__proto__', 'c')).to.equal(1);
    for (const broken of [undefined, null, 1, 'x', []]) expect(valueAt(broken, 'a')).to.equal(undefined);
  });

  it('finds nothing that was not in the document', () => {
    expect(valueAt(value, 'constructor')).to.equal(undefined);
    expect(valueAt(value, 'a', 'b', 'length')).to.equal(undefined);
  });

  it('gives what was asked for or nothing', () => {
    expect([stringAt(value, 'a', 'b'), stringAt(value, 'a', 'list')]).to.deep.equal(['x', undefined]);
    expect([objectAt(value, 'a', 'b'), objectAt(value, 'x')]).to.deep.equal([{}, {}]);
    expect([arrayAt(value, 'a', 'list'), arrayAt(value, 'a')]).to.deep.equal([[1], []]);
  });
});

describe('the equality of JSON', () => {
  const pairs: readonly (readonly [JsonValue | undefined, JsonValue | undefined, boolean])[] = [
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [[], {}, false],
    [null, {}, false],
    [null, undefined, false],
    [undefined, undefined, true],
    ['1', 1, false],
    [{ constructor: 1 }, { a: 1 }, false],
    [{}, { toString: null }, false],
  ];
  for (const [a, b, equal] of pairs) {
    it(`${equal ? 'holds' : 'does not hold'} for ${JSON.stringify(a)} and ${JSON.stringify(b)}`, () => {
      expect([jsonEqual(a, b), jsonEqual(b, a)]).to.deep.equal([equal, equal]);
    });
  }
});

describe('leaving out what is undefined', () => {
  it('keeps null, false and nothing else that is falsy apart', () => {
    const value: { a: number | undefined; b: null; c: boolean; d: string } = {
      a: undefined,
      b: null,
      c: false,
      d: '',
    };
    expect(defined(value)).to.deep.equal({ b: null, c: false, d: '' });
  });
});
