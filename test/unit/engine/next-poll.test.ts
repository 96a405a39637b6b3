import { expect } from 'chai';

import { nextPollAt } from '../../../src/engine/next-poll.ts';
import { defaultPruneLimit, type FleetSettings } from '../../../src/model/settings.ts';
import { HeldClock } from './held-clock.ts';

function pause(
  intervalMs: number,
  failures: number,
  more: { random?: number; schedule?: string } = {},
): number | undefined {
  const clock = new HeldClock();
  const { random = 0.5, schedule } = more;
  const settings: FleetSettings = {
    name: 'acme',
    source: {
      url: '/fleet',
      ref: 'main',
      path: '',
      intervalMs,
      ...(schedule === undefined ? {} : { schedule }),
    },
    clusters: [],
    inlineClusters: [],
    sync: { drift: 'correct', prune: true, pruneLimit: defaultPruneLimit },
    labelGraceMs: 0,
    server: { host: '127.0.0.1', port: 0 },
    stateDir: '/state',
    tools: {},
  };
  const at = nextPollAt({ settings, clock, random: () => random }, failures);
  return at === undefined ? undefined : Math.round(at - clock.now());
}

describe('when Git is asked next (invariant 8)', () => {
  it('is after the interval, give or take a twentieth', () => {
    expect([
      pause(30_000, 0, { random: 0 }),
      pause(30_000, 0),
      pause(30_000, 0, { random: 1 }),
    ]).to.deep.equal([28_500, 30_000, 31_500]);
  });

  it('is later after each failure, up to five minutes', () => {
    expect([1, 2, 3, 4, 5, 6, 2_000].map((failures) => pause(30_000, failures))).to.deep.equal([
      30_000, 60_000, 120_000, 240_000, 300_000, 300_000, 300_000,
    ]);
  });

  it('is never before an interval that is longer than that', () => {
    expect([pause(600_000, 1), pause(600_000, 5)]).to.deep.equal([600_000, 600_000]);
  });

  it('is as the schedule says, but tried again sooner after a failure', () => {
    expect(pause(30_000, 0, { schedule: '0 * * * *' })).to.equal(undefined);
    expect(pause(30_000, 1, { schedule: '0 * * * *' })).to.equal(30_000);
  });
});
