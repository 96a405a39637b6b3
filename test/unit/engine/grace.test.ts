import { expect } from 'chai';

import { graceEnds, nextGraceEnd } from '../../../src/engine/grace.ts';
import type { DesiredState, GeneratorState } from '../../../src/model/desired.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import { openStateStore, type StateStore } from '../../../src/store/state-store.ts';
import { useStateDir } from '../store/store-fixture.ts';
import { HeldClock } from './held-clock.ts';

const labelGraceMs = 60_000;

describe('the grace of a generator that stopped matching (invariant 4)', () => {
  const stateDir = useStateDir();
  let store: StateStore;
  let clock: HeldClock;

  beforeEach(() => {
    store = openStateStore(stateDir());
    clock = new HeldClock();
  });
  afterEach(() => {
    store.close();
  });

  const desired = (state: GeneratorState | 'gone', faults: readonly FleetError[] = []): DesiredState => ({
    cluster: 'berlin',
    revision: 'r1',
    objects: [],
    generators: new Map(state === 'gone' ? [] : [['web', { name: 'web', state, sync: {} }]]),
    faults,
    labels: {},
    warnings: [],
  });

  /** When the removals of web may be done, counted from now; undefined where a sync does not ask. */
  function sync(wish: DesiredState, mode: 'apply' | 'preview' = 'apply'): number | undefined {
    const ends = graceEnds({ state: { name: 'berlin' }, store, clock, desired: wish, labelGraceMs, mode });
    return wish.generators.get('web')?.state === 'unmatched' ? ends('web') - clock.now() : undefined;
  }

  it('is over at once where it is 0, however long the plan takes', async () => {
    const options = { state: { name: 'berlin' }, store, clock, labelGraceMs: 0, mode: 'apply' } as const;
    const ends = graceEnds({ ...options, desired: desired('unmatched') });
    const planned = clock.now();
    await clock.pass(5);
    expect(ends('web')).to.be.at.most(planned);
  });

  it('counts from the first sync that noticed, across a restart', async () => {
    expect(sync(desired('unmatched'))).to.equal(60_000);
    await clock.pass(20_000);
    expect(sync(desired('unmatched'))).to.equal(40_000);
    store.close();
    store = openStateStore(stateDir());
    await clock.pass(50_000);
    expect(sync(desired('unmatched'))).to.equal(-10_000);
  });

  it('starts anew after it matched again, or was gone from Git', async () => {
    for (const between of ['rendered', 'gone'] as const) {
      sync(desired('unmatched'));
      await clock.pass(20_000);
      sync(desired(between));
      expect(sync(desired('unmatched'))).to.equal(60_000);
      sync(desired('gone'));
    }
  });

  it('goes on while Git has faults: nobody knows whether it matches', async () => {
    sync(desired('unmatched'));
    await clock.pass(20_000);
    sync(desired('failed', [new FleetError('ManifestInvalid', 'broken')]));
    expect(sync(desired('unmatched'))).to.equal(40_000);
  });

  it('starts anew after it matched again although something else in Git is broken', async () => {
    sync(desired('unmatched'));
    await clock.pass(20_000);
    sync(desired('rendered', [new FleetError('ManifestInvalid', 'broken')]));
    expect(sync(desired('unmatched'))).to.equal(60_000);
  });

  it('is not begun or ended by a look that changes nothing', async () => {
    expect(sync(desired('unmatched'), 'preview')).to.equal(60_000);
    expect(store.unmatched('berlin').size).to.equal(0);
    sync(desired('unmatched'));
    await clock.pass(20_000);
    sync(desired('rendered'), 'preview');
    expect(sync(desired('unmatched'))).to.equal(40_000);
  });

  it('has the engine come back for it once it ends, and not for what was seen to', async () => {
    const startedAt = clock.now();
    sync(desired('unmatched'));
    const settings = { labelGraceMs };
    const next = (seenToAt: number, wish = desired('unmatched')): number | undefined =>
      nextGraceEnd({ cluster: { name: 'berlin' }, store, settings, seenToAt }, wish);
    expect(next(startedAt)).to.equal(startedAt + 60_000);
    await clock.pass(60_000);
    expect(next(startedAt)).to.equal(startedAt + 60_000);
    expect(next(startedAt + 60_001)).to.equal(undefined);
    expect(next(startedAt, desired('rendered'))).to.equal(undefined);
  });
});
