import { expect } from 'chai';

import { WakeUp } from '../../../src/engine/wake-up.ts';
import { HeldClock } from './held-clock.ts';

describe('WakeUp', () => {
  let clock: HeldClock;
  let bell: WakeUp;
  let woken: number;
  const never = new AbortController().signal;

  const waiting = (until?: number, signal = never): Promise<void> =>
    bell.wait(until, signal).then(() => {
      woken += 1;
    });

  beforeEach(() => {
    clock = new HeldClock();
    bell = new WakeUp(clock);
    woken = 0;
  });

  it('wakes at a ring, and takes rings of nobody waiting for one', async () => {
    bell.ring();
    bell.ring();
    await waiting();
    const second = waiting();
    await clock.pass(0);
    expect(woken).to.equal(1);
    bell.ring();
    await second;
    expect(woken).to.equal(2);
    expect(bell.isRung).to.equal(false);
  });

  it('wakes at its time, at once where that is past', async () => {
    void waiting(clock.now() + 500);
    await clock.pass(499);
    expect(woken).to.equal(0);
    await clock.pass(1);
    expect(woken).to.equal(1);
    void waiting(clock.now() - 1);
    await clock.pass(0);
    expect(woken).to.equal(2);
  });

  it('waits for ever where no time is given or it is infinite, and leaves no timer behind', async () => {
    const waits = [undefined, Number.POSITIVE_INFINITY].map((until) => ({ until }));
    for (const { until } of waits) {
      const wait = waiting(until);
      await clock.pass(86_400_000);
      expect(clock.sleeping).to.equal(1);
      bell.ring();
      await wait;
      expect(clock.sleeping).to.equal(0);
    }
    expect(woken).to.equal(2);
  });

  it('takes back a ring that nobody has heard', async () => {
    bell.ring();
    bell.hush();
    void waiting();
    await clock.pass(0);
    expect(woken).to.equal(0);
    bell.ring();
    await clock.pass(0);
    expect(woken).to.equal(1);
  });

  it('gives up when it is aborted, and can be waited for again', async () => {
    const stop = new AbortController();
    const aborted = waiting(undefined, stop.signal).catch((error: unknown) => String(error));
    stop.abort(new Error('stopped'));
    expect(await aborted).to.equal('Error: stopped');
    expect(clock.sleeping).to.equal(0);
    bell.ring();
    await waiting();
    expect(woken).to.equal(1);
  });
});
