import { expect } from 'chai';

import { AnotherLook } from '../../../src/engine/another-look.ts';

describe('AnotherLook', () => {
  it('is due ever later while the reasons stay, at once sooner when they change, and never without one', () => {
    const look = new AnotherLook(() => 0.5);
    let now = 1_000_000;
    const pauses = [1, 2, 3].map(() => {
      look.note(['Widget.example.com'], now);
      const pause = look.dueAt! - now;
      now = look.dueAt!;
      expect(look.begin(now)).to.equal(true);
      return pause;
    });
    expect(pauses).to.deep.equal([187.5, 375, 750]);
    look.note(['Gadget.example.com'], now);
    expect(look.dueAt! - now).to.equal(187.5);
    look.note([], now);
    expect(look.dueAt).to.equal(undefined);
    expect(look.begin(now)).to.equal(false);
  });

  it('is not put off by syncs that come before it is due', () => {
    const look = new AnotherLook(() => 0.5);
    look.note(['a', 'b'], 1_000);
    look.note(['b', 'a'], 1_100);
    expect(look.dueAt).to.equal(1_187.5);
  });

  it('is still to be taken where it came due while a sync was under way', () => {
    const look = new AnotherLook(() => 0.5);
    look.note(['a'], 1_000);
    expect(look.begin(1_187)).to.equal(false);
    look.note(['a'], 1_190);
    expect(look.dueAt).to.equal(1_187.5);
    expect(look.begin(1_191)).to.equal(true);
    look.note(['a'], 1_200);
    expect(look.dueAt).to.equal(1_575);
  });
});
