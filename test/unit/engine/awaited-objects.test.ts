import { expect } from 'chai';

import { RetryMemory } from '../../../src/engine/retry-memory.ts';
import type { Change } from '../../../src/model/change.ts';
import type { PreparedObject } from '../../../src/model/plan.ts';
import { refKey } from '../../../src/model/object-ref.ts';
import { refOf } from '../plan/objects.ts';

describe('objects that wait', () => {
  const origin = { generator: 'web', file: 'web.yaml', document: 1, line: 1 };
  const [web, db, cache] = ['ConfigMap/web', 'Deployment/db', 'Deployment/cache'].map((name) => refOf(name));
  const object: PreparedObject = {
    ref: web!,
    key: refKey(web!),
    body: {},
    origin,
    hash: 'now',
    drift: 'correct',
    adopt: false,
    dependsOn: [refKey(db!)],
  };
  const waitingFor = (...keys: readonly string[]): Change => ({
    action: 'pending',
    ref: web!,
    origin,
    fields: [],
    reason: 'waits',
    waitsFor: keys,
  });

  it('name what they wait for, and are not looked at by the clock', () => {
    const retries = new RetryMemory({ now: () => 0, random: () => 0, intervalMs: 1_000 });
    expect(retries.isAwaited(db!)).to.equal(false);
    retries.record(object, undefined, { change: waitingFor(refKey(db!)) });
    expect(retries.isAwaited(db!)).to.equal(true);
    expect(retries.isAwaited(cache!)).to.equal(false);
    expect(retries.nextDueAt()).to.be.at.least(1_800_000);
  });

  it('go on waiting for another one without being looked at', () => {
    const retries = new RetryMemory({ now: () => 0, random: () => 0, intervalMs: 1_000 });
    retries.record(object, undefined, { change: waitingFor(refKey(db!)) });
    retries.renew(object.key, waitingFor(refKey(cache!)));
    expect([db!, cache!].map((ref) => retries.isAwaited(ref))).to.deep.equal([false, true]);
    expect(retries.recall(object, undefined)?.change).to.deep.equal(waitingFor(refKey(cache!)));
    retries.renew(refKey(db!), waitingFor(refKey(db!)));
    expect(retries.isAwaited(db!)).to.equal(false);
  });
});
