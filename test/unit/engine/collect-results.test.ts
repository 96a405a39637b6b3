import { expect } from 'chai';

import type { WriteResult } from '../../../src/apply/write-result.ts';
import { type Collected, collectResult } from '../../../src/engine/collect-results.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { ownershipOf } from '../../../src/model/managed-fields.ts';
import { refKey } from '../../../src/model/object-ref.ts';
import type { PlannedWrite, PreparedObject } from '../../../src/model/plan.ts';
import { LiveObject } from '../plan/live-object.ts';
import { owned, refOf, wanted } from '../plan/objects.ts';

const ref = refOf('ConfigMap/web');
const { origin, manifest } = wanted('ConfigMap/web');
const object: PreparedObject = {
  ref,
  key: refKey(ref),
  body: { ...manifest, data: { a: '1' } },
  origin,
  hash: 'h1',
  drift: 'correct',
  adopt: false,
  dependsOn: [],
};
const applied = LiveObject.applied(object);
const options = {
  maskKey: 'key',
  detectedAt: '2026-05-01T12:10:00.000Z',
  now: '2026-05-01T12:10:01.000Z',
};

/** The answer that the server gives once it has written something. */
function written(live: LiveObject): JsonObject {
  return live.marked({ resourceVersion: '8' }).json;
}

function collect(
  write: Extract<PlannedWrite, { action: 'create' | 'configure' }>,
  answer: JsonObject,
  warnings: readonly string[] = [],
): Collected {
  return collectResult({ outcome: 'applied', write, object: answer, warnings }, options);
}

describe('what a result means', () => {
  it('is a baseline, taken from the answer', () => {
    const { change, baseline, drift, remaining } = collect({ action: 'create', object }, applied.json);
    expect(change).to.deep.equal({ action: 'create', ref, origin, fields: [] });
    expect(baseline).to.deep.equal({
      ref,
      uid: 'uid-1',
      desiredHash: 'h1',
      ownership: ownershipOf(applied.json),
      additions: '',
    });
    expect([drift, remaining]).to.deep.equal([undefined, undefined]);
  });

  it('is drift that was corrected, where an object was missing', () => {
    const { drift } = collect({ action: 'create', object, drift: 'missing' }, applied.json);
    expect(drift).to.deep.equal({
      ref,
      origin,
      kind: 'missing',
      fields: [],
      action: 'corrected',
      detectedAt: options.detectedAt,
      correctedAt: options.now,
    });
  });

  it('is drift that was corrected, with the fields that the answer shows and who had changed them', () => {
    const live = applied.edited('data.a', '9');
    const write = { action: 'configure', object, live: live.json, drift: 'changed' } as const;
    const { change, drift } = collect(write, written(applied));
    const fields = [
      {
        path: '.data.a',
        desired: '1',
        live: '9',
        changedBy: [{ manager: 'kubectl-edit', operation: 'Update', time: '2026-05-01T12:05:00Z' }],
      },
    ];
    expect(change).to.deep.equal({ action: 'configure', ref, origin, fields });
    expect(drift).to.deep.include({ kind: 'changed', action: 'corrected', fields });
  });

  it('says so where only the ownership of fields was taken back', () => {
    const live = applied.edited('data.a', '1');
    const { drift } = collect(
      { action: 'configure', object, live: live.json, drift: 'changed' },
      written(applied),
    );
    expect(drift?.reason).to.equal('the values agree, but others had taken over fields of ours');
  });

  it('is nothing at all where the server wrote nothing (invariant 6)', () => {
    const write = { action: 'configure', object, live: applied.json, drift: 'changed', reason: 'x' } as const;
    const { change, drift, baseline } = collect(write, applied.json);
    expect(change).to.deep.equal({ action: 'unchanged', ref, origin, fields: [] });
    expect(drift).to.equal(undefined);
    expect(baseline?.desiredHash).to.equal('h1');
  });

  it('is no drift where Git had changed', () => {
    const { change, drift } = collect(
      { action: 'configure', object, live: applied.edited('data.a', '9').json },
      written(applied),
    );
    expect(change.fields.map(({ path }) => path)).to.deep.equal(['.data.a']);
    expect(drift).to.equal(undefined);
  });

  it('lists what people added and our apply left in place', () => {
    const live = applied.edited('data.x', 'extra');
    const left = (drift: PreparedObject['drift']): unknown => {
      const write = { action: 'configure', object: { ...object, drift }, live: live.json } as const;
      const { remaining } = collect(write, written(live));
      return [remaining?.kind, remaining?.action, remaining?.fields.map(({ path }) => path)];
    };
    expect(left('correct')).to.deep.equal(['changed', 'reported', ['.data.x']]);
    expect(left('ignore')).to.deep.equal(['changed', 'ignored', ['.data.x']]);
  });

  it('tells the warnings of the server after the reason of the plan', () => {
    const write = { action: 'configure', object, live: applied.json, reason: 'adopted' } as const;
    expect(collect(write, written(applied), ['v1beta1 is deprecated']).change.reason).to.equal(
      'adopted; the server warns: v1beta1 is deprecated',
    );
  });

  const deletion = {
    action: 'delete',
    owned: owned('ConfigMap/web'),
    origin,
    reason: 'gone from Git',
  } as const;

  for (const [how, reason] of [
    ['deleted', 'gone from Git'],
    ['deleting', 'gone from Git; it goes when its finalizers or its grace period are done'],
    ['gone', 'gone from Git; it was gone already'],
    ['replaced', 'gone from Git; another object of that name lives now'],
  ] as const) {
    it(`ends the baseline of what was ${how}`, () => {
      expect(collectResult({ outcome: 'deleted', write: deletion, how }, options)).to.deep.equal({
        change: { action: 'delete', ref, origin, fields: [], reason },
        removedKey: 'ConfigMap/shop/web',
      });
    });
  }

  it('keeps the baseline of what failed, and names its place in Git (invariant 10)', () => {
    const error = new FleetError('Forbidden', 'no');
    for (const write of [deletion, { action: 'create', object }] as const) {
      const result: WriteResult = { outcome: 'failed', write, error };
      expect(collectResult(result, options)).to.deep.equal({
        change: { action: 'failed', ref, origin, fields: [], reason: 'no', error },
      });
    }
  });
});
