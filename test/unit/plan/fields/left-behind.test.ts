import { expect } from 'chai';

import { parseFieldPatterns } from '../../../../src/model/field-pattern.ts';
import type { JsonObject } from '../../../../src/model/json.ts';
import { leftBehind } from '../../../../src/plan/fields/left-behind.ts';

const entry = (manager: string, operation: string, ...keys: readonly string[]): JsonObject => ({
  manager,
  operation,
  fieldsV1: { 'f:data': Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) },
});
const ours = (...keys: readonly string[]): JsonObject => entry('fleetwright', 'Apply', ...keys);

function object(data: JsonObject, ...managedFields: readonly JsonObject[]): JsonObject {
  return { metadata: { managedFields: [...managedFields] }, data };
}

describe('leftBehind', () => {
  const before = object({ a: '1', b: '2' }, ours('a', 'b'), entry('team', 'Apply', 'b'));

  it('names a field that Git dropped and others keep, and who', () => {
    const after = object(
      { a: '1', b: '2' },
      ours('a'),
      entry('team', 'Apply', 'b'),
      entry('ci', 'Update', 'b'),
    );
    expect(leftBehind(before, after, {})).to.equal(
      'Git no longer sets these fields, but they stay, since others own them, too: .data.b (ci, team)',
    );
  });

  it('is silent where the field went, fell back to a default or is left to others', () => {
    expect(leftBehind(before, object({ a: '1' }, ours('a')), {})).to.equal(undefined);
    expect(leftBehind(before, object({ a: '1', b: '0' }, ours('a')), {})).to.equal(undefined);
    const parsed = parseFieldPatterns('.data.b');
    const leaves = parsed.ok ? parsed.patterns : [];
    const after = object({ a: '1', b: '2' }, ours('a'), entry('team', 'Apply', 'b'));
    expect(leftBehind(before, after, { leaves })).to.equal(undefined);
  });

  it('is silent where nothing was dropped or nothing was ours', () => {
    expect(leftBehind(before, before, {})).to.equal(undefined);
    expect(leftBehind(object({ b: '2' }, entry('team', 'Apply', 'b')), before, {})).to.equal(undefined);
  });
});
