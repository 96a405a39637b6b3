import { expect } from 'chai';

import { parseFieldPatterns } from '../../../../src/model/field-pattern.ts';
import type { JsonObject } from '../../../../src/model/json.ts';
import { refOf } from '../objects.ts';
import { droppedFields } from '../../../../src/plan/fields/dropped-fields.ts';

const web = { ref: refOf('ConfigMap/web') };

const entry = (manager: string, operation: string, ...keys: readonly string[]): JsonObject => ({
  manager,
  operation,
  fieldsV1: { 'f:data': Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) },
});
const ours = (...keys: readonly string[]): JsonObject => entry('fleetwright', 'Apply', ...keys);

function object(data: JsonObject, ...managedFields: readonly JsonObject[]): JsonObject {
  return { metadata: { managedFields: [...managedFields] }, data };
}

describe('droppedFields', () => {
  const before = object({ a: '1', b: '2' }, ours('a', 'b'), entry('team', 'Apply', 'b'));

  it('names a field that Git dropped and others keep, and who', () => {
    const after = object(
      { a: '1', b: '2' },
      ours('a'),
      entry('team', 'Apply', 'b'),
      entry('ci', 'Update', 'b'),
    );
    expect(droppedFields(before, after, web)).to.equal(
      'Git no longer sets these fields, but they stay, since others own them, too: .data.b (ci, team)',
    );
  });

  it('names a field that falls back to its default, and the default', () => {
    expect(droppedFields(before, object({ a: '1', b: '0' }, ours('a')), web)).to.equal(
      'Git no longer sets these fields, and they fall back to their defaults: .data.b (0)',
    );
  });

  it('shows no value of a Secret', () => {
    expect(
      droppedFields(before, object({ a: '1', b: '0' }, ours('a')), { ref: refOf('Secret/web') }),
    ).to.equal('Git no longer sets these fields, and they fall back to their defaults: .data.b');
  });

  it('is silent where the field went, already had its default or is left to others', () => {
    expect(droppedFields(before, object({ a: '1' }, ours('a')), web)).to.equal(undefined);
    expect(droppedFields(before, object({ a: '1', b: '2' }, ours('a')), web)).to.equal(undefined);
    const parsed = parseFieldPatterns('.data.b');
    const leaves = parsed.ok ? parsed.patterns : [];
    const after = object({ a: '1', b: '2' }, ours('a'), entry('team', 'Apply', 'b'));
    expect(droppedFields(before, after, { ...web, leaves })).to.equal(undefined);
  });

  it('is silent where nothing was dropped or nothing was ours', () => {
    expect(droppedFields(before, before, web)).to.equal(undefined);
    expect(droppedFields(object({ b: '2' }, entry('team', 'Apply', 'b')), before, web)).to.equal(undefined);
  });
});
