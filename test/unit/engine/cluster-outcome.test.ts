import { expect } from 'chai';

import {
  type ClusterOutcome,
  lostContact,
  remember,
  stateOf,
  toClusterDrift,
  toClusterReport,
} from '../../../src/engine/cluster-outcome.ts';
import type { Change, Drift } from '../../../src/model/change.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import type { ErrorCode } from '../../../src/model/error-codes.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import { openStateStore, type StateStore } from '../../../src/store/state-store.ts';
import { refOf, wanted } from '../plan/objects.ts';
import { correctedDrift, useStateDir } from '../store/store-fixture.ts';

const ref = refOf('ConfigMap/web');
const { origin } = wanted('ConfigMap/web');
const desired: DesiredState = {
  cluster: 'berlin',
  revision: 'r2',
  objects: [wanted('ConfigMap/web'), wanted('ConfigMap/api')],
  generators: new Map(),
  faults: [],
  labels: { env: 'production' },
  warnings: ['label env: Git wins'],
};
const failure = (code: ErrorCode): Change => {
  const error = new FleetError(code, 'no');
  return { action: 'failed', ref, origin, fields: [], reason: 'no', error };
};
const found: Drift = { ...correctedDrift('web', 0), action: 'reported' };

function synced(changes: readonly Change[] = [], drifts: readonly Drift[] = []): ClusterOutcome {
  const outcome = { changes, drifts, errors: [], warnings: [], unsettled: [] };
  return { name: 'berlin', desired, at: '2026-05-01T12:00:00.000Z', outcome };
}

function lost(code: ErrorCode): ClusterOutcome {
  return { name: 'berlin', desired, at: '2026-05-01T12:30:00.000Z', error: new FleetError(code, 'no route') };
}

describe('what an error says of its cluster', () => {
  for (const [code, state] of [
    ['ClusterUnreachable', 'unreachable'],
    ['DeadlineExceeded', 'unreachable'],
    ['ClusterUnauthorized', 'unauthorized'],
    ['ConfigInvalid', 'unknown'],
    ['Forbidden', 'reachable'],
    ['ServerFailed', 'reachable'],
    ['RateLimited', 'reachable'],
  ] as const) {
    it(`is ${state} for ${code}`, () => {
      expect(stateOf(new FleetError(code, 'x'))).to.equal(state);
    });
  }

  it('is reachable without any, and unreachable where that ended a sync', () => {
    expect(stateOf(undefined)).to.equal('reachable');
    expect(toClusterReport(synced([failure('Forbidden')]), undefined).state).to.equal('reachable');
    expect(toClusterReport(synced([failure('ClusterUnreachable')]), undefined).state).to.equal('unreachable');
  });

  it('is nothing where one object alone took too long', () => {
    const outcome = {
      changes: [failure('DeadlineExceeded')],
      drifts: [],
      errors: [],
      warnings: [],
      unsettled: [],
    };
    expect(lostContact(outcome)).to.equal(undefined);
  });
});

describe('the report on a cluster', () => {
  it('tells what was done, at which revision and when it answered', () => {
    const changes = [failure('Forbidden')];
    expect(toClusterReport(synced(changes), undefined)).to.deep.equal({
      name: 'berlin',
      state: 'reachable',
      lastSeenAt: '2026-05-01T12:00:00.000Z',
      revision: 'r2',
      labels: { env: 'production' },
      changes,
      errors: [],
      warnings: ['label env: Git wins'],
    });
  });

  it('fills from memory what cannot be known while it is out of reach', () => {
    const memory = { state: 'reachable', lastSeenAt: '2026-05-01T11:00:00.000Z', revision: 'r1' } as const;
    const report = toClusterReport(lost('ClusterUnreachable'), memory);
    expect(report).to.deep.include({ state: 'unreachable', lastSeenAt: memory.lastSeenAt, revision: 'r1' });
    expect(report.errors.map(({ code }) => code)).to.deep.equal(['ClusterUnreachable']);
    expect(toClusterReport(lost('ClusterUnreachable'), undefined)).to.not.have.any.keys(
      'lastSeenAt',
      'revision',
    );
  });

  it('counts a refusal as an answer', () => {
    expect(toClusterReport(lost('ClusterUnauthorized'), undefined).lastSeenAt).to.equal(
      '2026-05-01T12:30:00.000Z',
    );
  });

  it('goes by what is known better of when it was heard of', () => {
    const seenAt = '2026-05-01T12:29:00.000Z';
    expect(toClusterReport({ ...lost('ClusterUnreachable'), seenAt }, undefined).lastSeenAt).to.equal(seenAt);
  });

  it('lists drift that is there, then what was corrected, each once', () => {
    const corrected = correctedDrift('api', 5);
    const report = toClusterDrift(synced([], [found, corrected]), {
      memory: undefined,
      corrected: [corrected],
    });
    expect(report.objects).to.deep.equal([found, corrected]);
    expect(report.objectCount).to.equal(2);
  });

  it('names what failed where no drift tells of it: that is not in sync', () => {
    const report = (changes: readonly Change[], drifts: readonly Drift[] = []) =>
      toClusterDrift(synced(changes, drifts), { memory: undefined, corrected: [] });
    expect(report([failure('ObjectInvalid')]).errors.map(({ code }) => code)).to.deep.equal([
      'ObjectInvalid',
    ]);
    expect(report([failure('OwnershipConflict')], [{ ...found, ref }]).errors).to.deep.equal([]);
    expect(report([failure('ClusterUnreachable')]).errors).to.deep.equal([]);
  });

  it('keeps the drift that was known when the contact was lost', () => {
    const result: ClusterOutcome = { ...lost('ClusterUnreachable'), drifts: [found] };
    expect(toClusterDrift(result, { memory: undefined, corrected: [] }).objects).to.deep.equal([found]);
  });
});

describe('what is remembered of a cluster', () => {
  const stateDir = useStateDir();
  let store: StateStore;
  beforeEach(() => {
    store = openStateStore(stateDir());
  });
  afterEach(() => {
    store.close();
  });

  it('is what its last sync counted', () => {
    const held: Change = { action: 'held', ref, origin, fields: [], reason: 'differs', holdId: 'x' };
    remember(
      store,
      synced([failure('Forbidden'), held], [found, correctedDrift('api', 1), { ...found, kind: 'extra' }]),
    );
    expect(store.memory('berlin')).to.deep.equal({
      state: 'reachable',
      lastSeenAt: '2026-05-01T12:00:00.000Z',
      revision: 'r2',
      lastSyncAt: '2026-05-01T12:00:00.000Z',
      counts: { objects: 2, drifted: 1, held: 1, failed: 1 },
      message: 'no',
    });
  });

  it('is not forgotten while it is out of reach', () => {
    remember(store, synced());
    remember(store, lost('ClusterUnreachable'));
    expect(store.memory('berlin')).to.deep.equal({
      state: 'unreachable',
      lastSeenAt: '2026-05-01T12:00:00.000Z',
      revision: 'r2',
      lastSyncAt: '2026-05-01T12:00:00.000Z',
      counts: { objects: 2, drifted: 0, held: 0, failed: 0 },
      message: 'no route',
    });
  });

  it('has no message any more once all is well', () => {
    remember(store, lost('ClusterUnreachable'));
    remember(store, synced());
    expect(store.memory('berlin')).to.not.have.property('message');
  });
});
