import { expect } from 'chai';

import { RetryMemory } from '../../../src/engine/retry-memory.ts';
import type { Change } from '../../../src/model/change.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import { refKey } from '../../../src/model/object-ref.ts';
import type { PreparedObject } from '../../../src/model/plan.ts';
import { owned } from '../plan/objects.ts';

const origin = { generator: 'web', file: 'apps/web.yaml', document: 1, line: 1 };

function object(name: string): PreparedObject {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name };
  return {
    ref,
    key: refKey(ref),
    body: {},
    origin,
    hash: 'h1',
    drift: 'correct',
    adopt: false,
    dependsOn: [],
  };
}

const failed = (name: string, code: 'ObjectInvalid' | 'ServerFailed'): Change => {
  const error = new FleetError(code, 'no');
  return { action: 'failed', ref: object(name).ref, origin, fields: [], reason: 'no', error };
};

describe('RetryMemory', () => {
  let now: number;
  let memory: RetryMemory;

  beforeEach(() => {
    now = 1_000_000;
    memory = new RetryMemory({ now: () => now, random: () => 0.5, intervalMs: 30_000 });
  });

  it('is due again and again for what fails for a while, ever later', () => {
    const delays = [1, 2, 3].map(() => {
      memory.record(object('a'), undefined, { change: failed('a', 'ServerFailed') });
      const delay = memory.nextDueAt()! - now;
      now = memory.nextDueAt()!;
      expect(memory.recall(object('a'), undefined)).to.equal(undefined);
      return delay;
    });
    expect(delays).to.deep.equal([750, 1_500, 3_000]);
  });

  it('does not ask again at once for what only a change can mend, but does after the change', () => {
    memory.record(object('a'), undefined, { change: failed('a', 'ObjectInvalid') });
    now += 60_000;
    expect(memory.recall(object('a'), undefined)?.change.action).to.equal('failed');
    expect(memory.recall({ ...object('a'), hash: 'h2' }, undefined)).to.equal(undefined);
  });

  it('is never due for what Git wants no more', () => {
    memory.record(object('a'), undefined, { change: failed('a', 'ServerFailed') });
    memory.record(object('b'), undefined, { change: failed('b', 'ObjectInvalid') });
    memory.keepOnly([object('b')]);
    expect(memory.nextDueAt()).to.be.greaterThan(now + 60_000);
    memory.keepOnly([]);
    expect(memory.nextDueAt()).to.equal(undefined);
  });

  it('looks again at what is being deleted, since nobody tells when another’s object is gone', () => {
    const { ref } = object('a');
    const change: Change = { action: 'pending', ref, origin, fields: [], reason: 'being deleted' };
    memory.record(object('a'), undefined, { change });
    expect(memory.nextDueAt()).to.equal(now + 750);
  });

  it('forgets holds alone when an approval was given', () => {
    const { ref } = object('a');
    memory.record(object('a'), undefined, {
      change: { action: 'held', ref, origin, fields: [], reason: 'differs', holdId: 'x' },
    });
    memory.record(object('b'), undefined, { change: failed('b', 'ObjectInvalid') });
    memory.forgetHolds();
    expect(memory.recall(object('a'), undefined)).to.equal(undefined);
    expect(memory.recall(object('b'), undefined)).to.not.equal(undefined);
  });

  it('watches closely what it lists by its values, and looks again after any write to that', () => {
    const { ref } = object('a');
    const before = owned('a');
    const drift = { ref, origin, kind: 'changed', fields: [], action: 'reported' } as const;
    const change: Change = { action: 'skipped', ref, origin, fields: [], reason: 'drift is set to report' };
    memory.record(object('a'), before, { change, drift });
    expect(memory.isWatchedClosely(ref)).to.equal(true);
    expect(memory.recall(object('a'), before)?.drift).to.equal(drift);
    expect(memory.recall(object('a'), { ...before, version: '8' })).to.equal(undefined);
  });

  it('leaves what failed alone while only its version moves: controllers write all the time', () => {
    memory.record(object('a'), owned('a'), { change: failed('a', 'ObjectInvalid') });
    expect(memory.isWatchedClosely(object('a').ref)).to.equal(false);
    expect(memory.recall(object('a'), { ...owned('a'), version: '8' })?.change.action).to.equal('failed');
  });
});
