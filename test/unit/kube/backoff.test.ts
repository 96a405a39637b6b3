import { expect } from 'chai';
import { backoffMs } from '../../../src/kube/backoff.ts';

describe('backoffMs', () => {
  const options = { baseMs: 100, capMs: 1_000 };

  it('doubles its ceiling with each failure up to the cap', () => {
    const ceilings = [0, 1, 2, 3, 4, 60].map((failures) =>
      backoffMs(failures, { ...options, random: () => 1 }),
    );
    expect(ceilings).to.deep.equal([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('uses the whole range below it', () => {
    expect(backoffMs(3, { ...options, random: () => 0 })).to.equal(0);
    expect(backoffMs(3, { ...options, random: () => 0.25 })).to.equal(200);
  });
});
