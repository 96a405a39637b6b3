import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { type ApprovalsInForce, approvalsInForce } from '../../../src/engine/approvals-in-force.ts';
import type { SyncTask } from '../../../src/engine/cluster-state.ts';
import { openStateStore, type StateStore } from '../../../src/store/state-store.ts';

describe('approvals in force', () => {
  let stateDir: string;
  let store: StateStore;

  const inForce = (): ApprovalsInForce => {
    const state = { name: 'berlin' } as SyncTask['state'];
    return approvalsInForce({ state, store, clock: { now: () => 0 } as SyncTask['clock'] });
  };
  const approve = (holdId: string): void => {
    store.approve(holdId, { cluster: 'berlin', by: 'ada', at: '2026-05-01T12:00:00.000Z' });
  };

  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'fleetwright-approvals-'));
    store = openStateStore(stateDir);
  });
  afterEach(() => {
    store.close();
    rmSync(stateDir, { recursive: true });
  });

  it('lets through what is held under the very id', () => {
    approve('one');
    const approvals = inForce();
    expect(approvals.isApproved('one', ['a', 'b'])).to.equal(true);
    expect(approvals.isApproved('two', ['a', 'b'])).to.equal(false);
  });

  it('lets through what an interruption left of it, and nothing else', () => {
    approve('one');
    const before = inForce();
    before.isApproved('one', ['a', 'b', 'c']);
    before.release();
    const after = inForce();
    expect(after.isApproved('rest', ['b', 'c'])).to.equal(true);
    expect(after.isApproved('more', ['b', 'c', 'd'])).to.equal(false);
    expect(after.isApproved('none', [])).to.equal(false);
  });

  it('does not cover what was never released', () => {
    approve('one');
    inForce().isApproved('one', ['a', 'b', 'c']);
    expect(inForce().isApproved('rest', ['b', 'c'])).to.equal(false);
  });

  it('ends with what it was for', () => {
    approve('one');
    approve('two');
    const approvals = inForce();
    approvals.isApproved('one', ['a']);
    approvals.endUnused();
    expect(store.isApproved('one')).to.equal(true);
    expect(store.isApproved('two')).to.equal(false);
    inForce().endUnused();
    expect(store.isApproved('one')).to.equal(false);
  });

  it('leaves the approvals of other clusters alone', () => {
    store.approve('paris-1', { cluster: 'paris', by: 'ada', at: '2026-05-01T12:00:00.000Z' });
    inForce().endUnused();
    expect(store.isApproved('paris-1')).to.equal(true);
  });
});
