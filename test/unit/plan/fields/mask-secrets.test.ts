import { expect } from 'chai';
import * as fc from 'fast-check';

import type { JsonObject } from '../../../../src/model/json.ts';
import type { FieldDifference } from '../../../../src/model/field.ts';
import { addedFields, fieldDifferences } from '../../../../src/plan/field-differences.ts';
import { refOf } from '../objects.ts';

const ref = refOf('Secret/token');

/** A Secret with a manager who claims every key of its data, and with the copy that client-side apply leaves. */
function secret(data: JsonObject): JsonObject {
  const lastApplied = JSON.stringify({ kind: 'Secret', data });
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'token',
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': lastApplied, team: 'a' },
      managedFields: [
        {
          manager: 'kubectl-edit',
          operation: 'Update',
          fieldsV1: {
            'f:metadata': {
              'f:annotations': { '.': {}, 'f:kubectl.kubernetes.io/last-applied-configuration': {} },
            },
            'f:data': Object.fromEntries(Object.keys(data).map((key) => [`f:${key}`, {}])),
          },
        },
        {
          manager: 'kubectl',
          operation: 'Update',
          fieldsV1: { 'f:metadata': { 'f:annotations': { '.': {} } }, 'f:data': {} },
        },
      ],
    },
    data,
  };
}

function fieldsOf(live: JsonObject, merged: JsonObject, maskKey = 'key'): FieldDifference[] {
  const options = { ref, maskKey };
  return [...fieldDifferences(live, merged, options), ...addedFields(live, options)];
}

describe('the values of Secrets (invariant 9)', () => {
  const key = fc.stringMatching(/^[a-z]{1,5}$/);
  const value = fc.stringMatching(/^[A-Za-z0-9+/]{12,40}={0,2}$/);
  const data = fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 });

  it('appear nowhere in what differs or was added, whatever they are', () => {
    fc.assert(
      fc.property(data, data, (before, after) => {
        const text = JSON.stringify(fieldsOf(secret(before), secret(after)));
        for (const hidden of [...Object.values(before), ...Object.values(after)]) {
          expect(text).to.not.include(hidden);
          expect(text).to.not.include(Buffer.from(hidden, 'base64').toString('base64').slice(0, 12));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('appear nowhere where all data is new, gone or in plain text', () => {
    const bare: JsonObject = { ...secret({}), data: undefined! };
    Reflect.deleteProperty(bare, 'data');
    const plain = { ...bare, stringData: { password: 'hunter2hunter2' } };
    for (const [live, merged] of [
      [bare, secret({ password: 'aHVudGVyMg==' })],
      [secret({ password: 'aHVudGVyMg==' }), bare],
      [bare, plain],
      [plain, bare],
    ] as const) {
      const fields = fieldsOf(live, merged);
      expect(fields).to.not.deep.equal([]);
      expect(JSON.stringify(fields)).to.not.match(/aHVudGVyMg|hunter2/);
    }
  });

  it('look equal where they are equal, different where they differ, and are of no use without the key', () => {
    const [field] = fieldsOf(secret({ a: 'b25l' }), secret({ a: 'dHdv' }));
    expect(field?.path).to.equal('.data.a');
    expect(field?.live).to.match(/^\(hidden, [0-9a-f]{8}\)$/);
    expect(field?.live).to.not.equal(field?.desired);
    expect(fieldsOf(secret({ a: 'b25l' }), secret({ a: 'dHJvaXM=' }))[0]?.live).to.equal(field?.live);
    expect(fieldsOf(secret({ a: 'b25l' }), secret({ a: 'dHdv' }), 'other')[0]?.live).to.not.equal(
      field?.live,
    );
  });

  it('are shown of a ConfigMap and of a Secret of another group', () => {
    const configMap = fieldDifferences(
      { data: { a: '1' } },
      { data: { a: '2' } },
      { ref: refOf('ConfigMap/a'), maskKey: 'k' },
    );
    expect(configMap).to.deep.equal([{ path: '.data.a', desired: '2', live: '1', changedBy: [] }]);
    const other = { ...ref, apiVersion: 'example.com/v1' };
    expect(
      fieldDifferences({ data: { a: '1' } }, { data: { a: '2' } }, { ref: other, maskKey: 'k' })[0]?.live,
    ).to.equal('1');
  });

  it('hide nothing but data: labels and the type stay readable', () => {
    const [field] = fieldDifferences({ type: 'Opaque' }, { type: 'x' }, { ref, maskKey: 'k' });
    expect(field).to.include({ live: 'Opaque', desired: 'x' });
  });
});
