import { expect } from 'chai';

import { predictChanges } from '../../../src/engine/predict-changes.ts';
import { refKey } from '../../../src/model/object-ref.ts';
import type { PreparedObject } from '../../../src/model/plan.ts';
import { LiveObject } from '../plan/live-object.ts';
import { nameOf, owned, refOf, wanted } from '../plan/objects.ts';

function prepared(name: string): PreparedObject {
  const { ref, manifest, origin } = wanted(name);
  const body = { ...manifest, data: { a: '1' } };
  return { ref, key: refKey(ref), body, origin, hash: 'h1', drift: 'correct', adopt: false, dependsOn: [] };
}

describe('what a plan would change', () => {
  const web = prepared('ConfigMap/web');
  const live = LiveObject.applied(web).edited('data.a', '9').json;
  const merged = LiveObject.applied(web).json;

  it('is said for each write in its order, with the fields that the dry-run shows', () => {
    const { origin } = web;
    const changes = predictChanges(
      {
        stages: [
          [{ action: 'create', object: prepared('ConfigMap/new') }],
          [{ action: 'configure', object: web, live, drift: 'changed', reason: 'why' }],
          [{ action: 'delete', owned: owned('ConfigMap/old'), origin, reason: 'gone' }],
        ],
        settled: [],
      },
      { observations: new Map([[web.key, { state: 'present', live, merged }]]), maskKey: 'key' },
    );
    expect(
      changes.map(({ action, ref, fields, reason }) => [
        action,
        nameOf(ref),
        fields.map(({ path }) => path),
        reason,
      ]),
    ).to.deep.equal([
      ['create', 'ConfigMap/new', [], undefined],
      ['configure', 'ConfigMap/web', ['.data.a'], 'why'],
      ['delete', 'ConfigMap/old', [], 'gone'],
    ]);
  });

  it('shows no value of a Secret (invariant 9)', () => {
    const secret: PreparedObject = {
      ...prepared('Secret/web'),
      ref: refOf('Secret/web'),
      key: 'Secret/shop/web',
    };
    const before = LiveObject.applied(secret).edited('data.a', 'aHVudGVyMg==').json;
    const changes = predictChanges(
      { stages: [[{ action: 'configure', object: secret, live: before }]], settled: [] },
      {
        observations: new Map([
          [secret.key, { state: 'present', live: before, merged: LiveObject.applied(secret).json }],
        ]),
        maskKey: 'key',
      },
    );
    expect(changes[0]?.fields).to.have.length(1);
    expect(JSON.stringify(changes)).to.not.contain('aHVudGVyMg');
  });
});
