import { expect } from 'chai';
import * as fc from 'fast-check';

import { isJsonObject, type JsonObject, jsonEqual, type JsonValue } from '../../../src/model/json.ts';
import { contentHash } from '../../../src/plan/content-hash.ts';

// fast-check's JSON values are JSON values.
const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })) as fc.Arbitrary<JsonObject>;

/** The same value with the keys of every object the other way round. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

describe('the hash of a manifest', () => {
  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(json, (manifest) => {
        expect(contentHash(reversed(manifest) as JsonObject)).to.equal(contentHash(manifest));
      }),
    );
  });

  it('differs where anything differs', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(contentHash(a) === contentHash(b)).to.equal(jsonEqual(a, b));
      }),
    );
  });

  it('tells apart what looks alike', () => {
    const manifests: JsonObject[] = [
      { a: '1' },
      { a: 1 },
      { a: null },
      {},
      { a: [] },
      { a: {} },
      { a: [1, 2] },
      { a: [2, 1] },
      { a: [[1], 2] },
      { a: { b: 1 }, c: 2 },
      { a: { b: 1, c: 2 } },
      { a: '{"b":1}' },
    ];
    expect(new Set(manifests.map(contentHash)).size).to.equal(manifests.length);
  });
});
