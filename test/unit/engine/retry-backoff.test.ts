import { expect } from 'chai';
import * as fc from 'fast-check';

import { RetryMemory } from '../../../src/engine/retry-memory.ts';
import type { Change } from '../../../src/model/change.ts';
import type { ErrorCode } from '../../../src/model/error-codes.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import { refKey } from '../../../src/model/object-ref.ts';
import type { PreparedObject } from '../../../src/model/plan.ts';
import { owned, refOf, wanted } from '../plan/objects.ts';

const ref = refOf('ConfigMap/web');
const { origin } = wanted('ConfigMap/web');
const object: PreparedObject = {
  ref,
  key: refKey(ref),
  body: {},
  origin,
  hash: 'h1',
  drift: 'correct',
  adopt: false,
  dependsOn: [],
};
const hourMs = 3_600_000;

function failed(code: ErrorCode, retryAfterMs?: number): Change {
  const error = new FleetError(code, 'no', retryAfterMs === undefined ? {} : { retryAfterMs });
  return { action: 'failed', ref, origin, fields: [], reason: 'no', error };
}

/** The pauses after each of so many failures in a row, in ms. */
function pauses(change: Change, count: number, random = 1 - Number.EPSILON): number[] {
  let now = 0;
  const memory = new RetryMemory({ now: () => now, random: () => random, intervalMs: 30_000 });
  return Array.from({ length: count }, () => {
    memory.record(object, owned('ConfigMap/web'), { change });
    const pause = memory.nextDueAt()! - now;
    now += pause;
    return Math.round(pause);
  });
}

describe('the pauses between tries (invariant 8)', () => {
  it('double from a second to five minutes for what may pass soon', () => {
    expect(pauses(failed('ServerFailed'), 11)).to.deep.equal([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000,
    ]);
  });

  it('double from the interval to an hour for what a person has to mend', () => {
    expect(pauses(failed('Forbidden'), 9)).to.deep.equal([
      30_000,
      60_000,
      120_000,
      240_000,
      480_000,
      960_000,
      1_920_000,
      hourMs,
      hourMs,
    ]);
  });

  it('are an hour for what cannot succeed without a change', () => {
    expect(pauses(failed('ObjectInvalid'), 2)).to.deep.equal([hourMs, hourMs]);
  });

  it('add what the server asked for', () => {
    expect(pauses(failed('RateLimited', 7_000), 2)).to.deep.equal([8_000, 9_000]);
  });

  it('stay finite however often it fails', () => {
    expect(pauses(failed('Forbidden'), 1_100).at(-1)).to.equal(hourMs);
  });

  it('are spread over the upper half, so that many objects do not come back in step', () => {
    const changes = [
      failed('ServerFailed'),
      failed('Forbidden'),
      failed('ObjectInvalid'),
      { action: 'held', ref, origin, fields: [], reason: 'differs', holdId: 'x' },
      { action: 'skipped', ref, origin, fields: [], reason: 'drift is set to report' },
      { action: 'pending', ref, origin, fields: [], reason: 'being deleted' },
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom<Change>(...changes),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 12 }),
        (change, random, tries) => {
          const pause = pauses(change, tries, random).at(-1)!;
          const longest = pauses(change, tries).at(-1)!;
          expect(pause).to.be.within(Math.floor(longest / 2), longest);
        },
      ),
    );
  });
});

describe('what is remembered of an object', () => {
  let now = 0;
  const memory = (): RetryMemory =>
    new RetryMemory({ now: () => now, random: () => 0.5, intervalMs: 30_000 });
  const live = owned('ConfigMap/web');

  beforeEach(() => {
    now = 0;
  });

  for (const [what, change] of [
    ['its uid', { uid: 'another' }],
    ['the fields that we own', { ownership: 'o2' }],
    ['what people added', { additions: 'x' }],
    ['the generator on it', { generator: '' }],
    ['the hash on it', { desiredHash: 'x' }],
    ['that it is being deleted', { deleting: true }],
  ] as const) {
    it(`is void once ${what} differs`, () => {
      const known = memory();
      known.record(object, live, { change: failed('ServerFailed') });
      expect(known.recall(object, live)).to.not.equal(undefined);
      expect(known.recall(object, { ...live, ...change })).to.equal(undefined);
    });
  }

  it('is void once Git, or its being there, differs', () => {
    const known = memory();
    known.record(object, live, { change: failed('ServerFailed') });
    expect(known.recall({ ...object, hash: 'h2' }, live)).to.equal(undefined);
    expect(known.recall(object, undefined)).to.equal(undefined);
  });

  it('is not void while only the resourceVersion moves', () => {
    const known = memory();
    known.record(object, live, { change: failed('ServerFailed') });
    expect(known.recall(object, { ...live, resourceVersion: '99' })).to.not.equal(undefined);
  });

  it('counts tries anew for another wish of Git', () => {
    const known = memory();
    for (let tries = 0; tries < 5; tries += 1) known.record(object, live, { change: failed('ServerFailed') });
    known.record({ ...object, hash: 'h2' }, live, { change: failed('ServerFailed') });
    expect(known.nextDueAt()).to.equal(750);
  });

  it('is forgotten once it is done', () => {
    const known = memory();
    known.record(object, live, { change: failed('ServerFailed') });
    known.record(object, live, { change: { action: 'unchanged', ref, origin, fields: [] } });
    expect(known.nextDueAt()).to.equal(undefined);
  });

  it('is due first for the object that waits least', () => {
    const known = memory();
    known.record(object, live, { change: failed('ObjectInvalid') });
    known.record({ ...object, key: 'other' }, live, { change: failed('ServerFailed') });
    expect(known.nextDueAt()).to.equal(750);
    known.forgetAll();
    expect(known.nextDueAt()).to.equal(undefined);
  });
});
