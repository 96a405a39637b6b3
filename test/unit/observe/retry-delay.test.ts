import { expect } from 'chai';
import { FleetError } from '../../../src/model/fleet-error.ts';
import { retryDelayMs } from '../../../src/observe/retry-delay.ts';

describe('retryDelayMs', () => {
  const most = (failures: number, error?: FleetError) => retryDelayMs(failures, () => 1, error);

  it('grows with the failures of a server that may be back any moment', () => {
    const error = new FleetError('ClusterUnreachable', 'gone');
    expect([0, 1, 2, 20].map((failures) => most(failures, error))).to.deep.equal([250, 500, 1_000, 30_000]);
    expect(most(0)).to.equal(250);
  });

  it('is long from the first for what only a person can mend', () => {
    for (const code of ['Forbidden', 'KindUnknown', 'ClusterUnauthorized', 'ObjectInvalid'] as const) {
      expect(most(0, new FleetError(code, 'no'))).to.equal(60_000);
      expect(retryDelayMs(0, () => 0, new FleetError(code, 'no'))).to.equal(30_000);
    }
  });

  it('adds to the wait that a full server asks for', () => {
    expect(most(1, new FleetError('RateLimited', 'full', { retryAfterMs: 4_000 }))).to.equal(4_500);
  });
});
