import { expect } from 'chai';
import fc from 'fast-check';

import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/model/json.ts';
import { mergePatch } from '../../../../src/render/overrides/merge-patch.ts';
import { deepFreeze } from '../fleet.ts';

const key = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'c',
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    '\u0000x',
  ),
  fc.string(),
);
const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 1, 'x'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 5 })
      .map((entries): JsonValue => Object.fromEntries<JsonValue>(entries)),
  ),
})).value;
const jsonObject = fc
  .array(fc.tuple(key, json), { maxLength: 5 })
  .map((entries): JsonObject => Object.fromEntries(entries));

/** The pseudo-code of RFC 7396, word by word. */
function byTheBook(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const result = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, byTheBook(result.get(name), value));
  }
  return Object.fromEntries(result);
}

/** RFC 7396, appendix A, each within a key, since both arguments are maps here. */
const examples: readonly (readonly [JsonValue, JsonValue, JsonValue])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('mergePatch', () => {
  for (const [target, patch, result] of examples) {
    it(`makes ${JSON.stringify(result)} of ${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => {
      expect(mergePatch({ x: target }, { x: patch })).to.deep.equal({ x: result });
    });
  }

  it('does what RFC 7396 says, whatever the keys, and changes neither argument', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (target, patch) => {
        const result = mergePatch(deepFreeze(target), deepFreeze(patch));
        expect(JSON.stringify(sorted(result))).to.equal(JSON.stringify(sorted(byTheBook(target, patch))));
      }),
      { numRuns: 1_000 },
    );
  });

  it('applied twice is the same as applied once', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (target, patch) => {
        const once = mergePatch(target, patch);
        expect(JSON.stringify(mergePatch(once, patch))).to.equal(JSON.stringify(once));
      }),
    );
  });
});

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name] ?? null)]),
  );
}
