import { expect } from 'chai';
import fc from 'fast-check';

import type { JsonOperation } from '../../../../src/config/generator/generator.ts';
import type { JsonObject, JsonValue } from '../../../../src/model/json.ts';
import { formatPointer } from '../../../../src/render/overrides/json-pointer.ts';
import { jsonPatch } from '../../../../src/render/overrides/json-patch.ts';
import { deepFreeze } from '../fleet.ts';

type Case = readonly [
  name: string,
  document: JsonObject,
  operations: readonly JsonOperation[],
  result: JsonObject | RegExp,
];

/** RFC 6902, appendix A, and beside it what an implementation is easily lax about. */
const cases: readonly Case[] = [
  [
    'A.1 adding an object member',
    { foo: 'bar' },
    [{ op: 'add', path: '/baz', value: 'qux' }],
    { foo: 'bar', baz: 'qux' },
  ],
  [
    'A.2 adding an array element',
    { foo: ['bar', 'baz'] },
    [{ op: 'add', path: '/foo/1', value: 'qux' }],
    { foo: ['bar', 'qux', 'baz'] },
  ],
  [
    'A.3 removing an object member',
    { baz: 'qux', foo: 'bar' },
    [{ op: 'remove', path: '/baz' }],
    { foo: 'bar' },
  ],
  [
    'A.4 removing an array element',
    { foo: ['bar', 'qux', 'baz'] },
    [{ op: 'remove', path: '/foo/1' }],
    { foo: ['bar', 'baz'] },
  ],
  [
    'A.5 replacing a value',
    { baz: 'qux', foo: 'bar' },
    [{ op: 'replace', path: '/baz', value: 'boo' }],
    { baz: 'boo', foo: 'bar' },
  ],
  [
    'A.6 moving a value',
    { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  ],
  [
    'A.7 moving an array element',
    { foo: ['all', 'grass', 'cows', 'eat'] },
    [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    { foo: ['all', 'cows', 'eat', 'grass'] },
  ],
  [
    'A.8 testing a value: success',
    { baz: 'qux', foo: ['a', 2, 'c'] },
    [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    { baz: 'qux', foo: ['a', 2, 'c'] },
  ],
  [
    'A.9 testing a value: error',
    { baz: 'qux' },
    [{ op: 'test', path: '/baz', value: 'bar' }],
    /^0: \/baz has another value$/,
  ],
  [
    'A.10 adding a nested member object',
    { foo: 'bar' },
    [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    { foo: 'bar', child: { grandchild: {} } },
  ],
  [
    'A.12 adding to a nonexistent target',
    { foo: 'bar' },
    [{ op: 'add', path: '/baz/bat', value: 'qux' }],
    /^0: there is no \/baz$/,
  ],
  [
    'A.14 escape ordering',
    { '/': 9, '~1': 10 },
    [{ op: 'test', path: '/~01', value: 10 }],
    { '/': 9, '~1': 10 },
  ],
  [
    'A.15 comparing strings and numbers',
    { '/': 9, '~1': 10 },
    [{ op: 'test', path: '/~01', value: '10' }],
    /another value/,
  ],
  [
    'A.16 adding an array value',
    { foo: ['bar'] },
    [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
    { foo: ['bar', ['abc', 'def']] },
  ],
  [
    'copy',
    { a: { b: [1] } },
    [
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'add', path: '/c/b/0', value: 0 },
    ],
    { a: { b: [1] }, c: { b: [0, 1] } },
  ],
  [
    'a move that is seen after its own removal',
    { a: [[1], [2], [3]] },
    [{ op: 'move', from: '/a/0', path: '/a/1/0' }],
    { a: [[2], [[1], 3]] },
  ],
  [
    'null as a value',
    { a: 1 },
    [
      { op: 'replace', path: '/a', value: null },
      { op: 'test', path: '/a', value: null },
    ],
    { a: null },
  ],
  [
    'maps are equal whatever their order',
    { a: { x: 1, y: 2 } },
    [{ op: 'test', path: '/a', value: { y: 2, x: 1 } }],
    { a: { x: 1, y: 2 } },
  ],
  [
    'all or nothing',
    { a: 1 },
    [
      { op: 'replace', path: '/a', value: 2 },
      { op: 'remove', path: '/b' },
    ],
    /^1: there is no \/b$/,
  ],
  ['replace of what is missing', { a: 1 }, [{ op: 'replace', path: '/b', value: 2 }], /^0: there is no \/b$/],
  [
    'an index beyond the end',
    { a: [1] },
    [{ op: 'add', path: '/a/2', value: 2 }],
    /^0: the list has 1 items, and \/a\/2 is beyond its end$/,
  ],
  [
    'an index that is none',
    { a: [1] },
    [{ op: 'replace', path: '/a/01', value: 2 }],
    /\/a is a list, and "01" is no index/,
  ],
  [
    'a property of lists',
    { a: [1] },
    [{ op: 'remove', path: '/a/length' }],
    /\/a is a list, and "length" is no index/,
  ],
  ['- where something must be', { a: [1] }, [{ op: 'remove', path: '/a/-' }], /there is no \/a\/-/],
  [
    'a place in a text',
    { a: 'text' },
    [{ op: 'add', path: '/a/b', value: 1 }],
    /\/a is neither a map nor a list/,
  ],
  ['what every object inherits', {}, [{ op: 'remove', path: '/toString' }], /there is no \/toString/],
  [
    'below what every object inherits',
    {},
    [{ op: 'add', path: '/constructor/prototype/x', value: 1 }],
    /there is no \/constructor/,
  ],
  [
    'a list item for each special key',
    { a: { constructor: 1, prototype: 2 } },
    [
      { op: 'replace', path: '/a/constructor', value: 3 },
      { op: 'remove', path: '/a/prototype' },
      { op: 'add', path: '/a/hasOwnProperty', value: 4 },
    ],
    { a: { constructor: 3, hasOwnProperty: 4 } as unknown as JsonObject },
  ],
];

describe('jsonPatch', () => {
  for (const [name, document, operations, expected] of cases) {
    it(name, () => {
      const result = jsonPatch(deepFreeze(document), deepFreeze(operations));
      if (expected instanceof RegExp)
        expect(result.ok ? '' : `${result.index}: ${result.reason}`).to.match(expected);
      else expect(result.ok ? result.manifest : result.reason).to.deep.equal(expected);
    });
  }

  it('takes __proto__ for a key like any other, and pollutes nothing', () => {
    const document = JSON.parse('{"a": {"__proto__": {"x": 1}}}') as JsonObject;
    const value = JSON.parse('{"__proto__": {"polluted": true}}') as JsonValue;
    const result = jsonPatch(document, [
      { op: 'replace', path: '/a/__proto__/x', value: 2 },
      { op: 'add', path: '/__proto__', value },
      { op: 'copy', from: '/a', path: '/b' },
    ]);
    expect(result.ok && JSON.stringify(result.manifest)).to.equal(
      '{"a":{"__proto__":{"x":2}},"__proto__":{"__proto__":{"polluted":true}},"b":{"__proto__":{"x":2}}}',
    );
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined);
  });

  it('stops copies that multiply without end', () => {
    const operations = Array.from({ length: 60 }, (_, index): JsonOperation => ({
      op: 'copy',
      from: '/a',
      path: `/a/${index}`,
    }));
    const result = jsonPatch({ a: { x: 1 } }, operations);
    expect(result.ok ? '' : result.reason).to.equal('more than 100000 values would be copied');
  });

  it('turns any document into any other by the operations that say so, and changes neither', () => {
    const key = fc.constantFrom('a', 'b/c', '~d', '__proto__', 'constructor', '', '0', '-');
    const scalar = fc.constantFrom<JsonValue>(null, true, 0, 'x', [1], { y: 1 });
    const document = fc
      .array(fc.tuple(key, scalar), { maxLength: 6 })
      .map((entries) => Object.fromEntries(entries));
    fc.assert(
      fc.property(document, document, (from, to) => {
        const operations: JsonOperation[] = [
          ...Object.keys(from).map((name): JsonOperation => ({ op: 'remove', path: formatPointer([name]) })),
          ...Object.entries(to).map(([name, value]): JsonOperation => ({
            op: 'add',
            path: formatPointer([name]),
            value,
          })),
        ];
        const result = jsonPatch(deepFreeze(from), deepFreeze(operations));
        expect(result.ok && JSON.stringify(result.manifest)).to.equal(JSON.stringify(to));
      }),
    );
  });
});
