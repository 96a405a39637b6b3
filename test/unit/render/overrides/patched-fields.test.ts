import { expect } from 'chai';

import type { JsonOperation } from '../../../../src/config/generator/generator.ts';
import type { PatchedField } from '../../../../src/model/desired.ts';
import type { JsonObject } from '../../../../src/model/json.ts';
import { editsOfMerge } from '../../../../src/render/overrides/field-edit.ts';
import { jsonPatch } from '../../../../src/render/overrides/json-patch.ts';
import { afterEdit, patchOf } from '../../../../src/render/overrides/patched-fields.ts';

/** The patched fields after operations, each of which has its index as its line. */
function trail(document: JsonObject, operations: readonly JsonOperation[]): readonly PatchedField[] {
  const result = jsonPatch(document, operations);
  if (!result.ok) throw new Error(result.reason);
  return result.edits
    .flatMap((edits, line) => edits.map((edit) => ({ edit, line })))
    .reduce<readonly PatchedField[]>(
      (fields, { edit, line }) =>
        afterEdit(fields, edit, { generator: 'g', file: 'g.yaml', document: 1, line }),
      [],
    );
}

const lineOf = (fields: readonly PatchedField[], ...path: (string | number)[]): number | undefined =>
  patchOf(fields, path)?.origin.line;

describe('patched fields', () => {
  const containers = { spec: { containers: [{ name: 'a' }, { name: 'b' }] } };

  it('know the last patch that wrote a field, or the map around it', () => {
    const fields = trail({ spec: { a: 1, b: { c: 1 } } }, [
      { op: 'replace', path: '/spec/a', value: 2 },
      { op: 'replace', path: '/spec/b', value: { c: 2 } },
      { op: 'replace', path: '/spec/a', value: 3 },
    ]);
    expect([
      lineOf(fields, 'spec', 'a'),
      lineOf(fields, 'spec', 'b', 'c'),
      lineOf(fields, 'spec'),
    ]).to.deep.equal([2, 1, undefined]);
    expect(fields).to.have.length(2);
  });

  it('follow the items of a list when others come and go', () => {
    const fields = trail(containers, [
      { op: 'add', path: '/spec/containers/1/image', value: 'x' },
      { op: 'add', path: '/spec/containers/0', value: { name: 'first' } },
      { op: 'add', path: '/spec/containers/-', value: { name: 'last' } },
      { op: 'remove', path: '/spec/containers/1' },
    ]);
    expect([0, 1, 2].map((index) => lineOf(fields, 'spec', 'containers', index, 'image'))).to.deep.equal([
      1, 0, 2,
    ]);
  });

  it('keep who removed a key', () => {
    const fields = trail({ data: { a: '1' } }, [{ op: 'remove', path: '/data/a' }]);
    expect(lineOf(fields, 'data', 'a')).to.equal(0);
  });

  it('are the values that a merge patch writes out', () => {
    const edits = editsOfMerge(
      { spec: { a: { b: 1 }, list: [1] } },
      { spec: { a: { b: 2, c: null, d: {} }, list: [2], a2: { x: 1 } } },
    );
    expect(edits.map(({ kind, path }) => `${kind} ${path.join('.')}`)).to.deep.equal([
      'set spec.a.b',
      'remove spec.a.c',
      'set spec.a.d',
      'set spec.list',
      'set spec.a2.x',
    ]);
  });
});
