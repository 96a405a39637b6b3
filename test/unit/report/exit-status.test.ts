import { expect } from 'chai';

import type { Change, Drift } from '../../../src/model/change.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import type { ClusterReport, ClusterState, Report } from '../../../src/model/report.ts';
import { exitStatus } from '../../../src/report/exit-status.ts';
import { summarise } from '../../../src/report/summarise.ts';
import { changeReport, cluster, driftCluster, driftReport, metadata, origin, ref } from './sample-reports.ts';

const error = new FleetError('Forbidden', 'no');
const base = { ref: ref('ConfigMap/a', 'shop'), origin: origin('a.yaml'), fields: [] };
const changes: Record<Change['action'], Change> = {
  create: { ...base, action: 'create' },
  configure: { ...base, action: 'configure' },
  delete: { ...base, action: 'delete', reason: 'gone' },
  unchanged: { ...base, action: 'unchanged' },
  held: { ...base, action: 'held', reason: 'many', holdId: 'abc' },
  skipped: { ...base, action: 'skipped', reason: 'wish' },
  pending: { ...base, action: 'pending', reason: 'later' },
  failed: { ...base, action: 'failed', reason: 'no', error },
};

function changesOf(
  kind: 'Plan' | 'SyncReport',
  more: Partial<ClusterReport>,
  errors: FleetError[] = [],
): Report {
  return {
    kind,
    metadata,
    clusters: [cluster('calm', { changes: [changes.unchanged] }), cluster('a', more)],
    errors,
  };
}

function driftOf(action: Drift['action']): Report {
  const drift: Drift = { ...base, kind: 'changed', action, detectedAt: metadata.generatedAt };
  return { kind: 'DriftReport', metadata, clusters: [driftCluster('a', { objects: [drift] })], errors: [] };
}

/** What the report holds; the status without --exit-code; the status with it. */
const table: readonly [string, Report, number, number][] = [
  ['no cluster', { kind: 'Plan', metadata, clusters: [], errors: [] }, 0, 0],
  ['a plan with nothing to do', changesOf('Plan', { changes: [changes.unchanged] }), 0, 0],
  ['a plan that creates', changesOf('Plan', { changes: [changes.create] }), 0, 2],
  ['a plan that configures', changesOf('Plan', { changes: [changes.configure] }), 0, 2],
  ['a plan that deletes', changesOf('Plan', { changes: [changes.delete] }), 0, 2],
  ['a plan with something pending', changesOf('Plan', { changes: [changes.pending] }), 0, 2],
  ['a plan that skips by wish', changesOf('Plan', { changes: [changes.skipped] }), 0, 0],
  ['a plan with something held', changesOf('Plan', { changes: [changes.create, changes.held] }), 1, 1],
  ['a plan with something failed', changesOf('Plan', { changes: [changes.create, changes.failed] }), 1, 1],
  ['a plan with a fault of a cluster', changesOf('Plan', { errors: [error] }), 1, 1],
  ['a plan with a fault of the fleet', changesOf('Plan', {}, [error]), 1, 1],
  [
    'a sync that did everything',
    changesOf('SyncReport', { changes: [changes.create, changes.configure, changes.delete] }),
    0,
    0,
  ],
  ['a sync with something held', changesOf('SyncReport', { changes: [changes.held] }), 1, 1],
  ['a sync with something failed', changesOf('SyncReport', { changes: [changes.failed] }), 1, 1],
  ...(['unreachable', 'unauthorized', 'unknown'] satisfies ClusterState[]).map(
    (state): [string, Report, number, number] => [
      `a cluster that is ${state}`,
      changesOf('SyncReport', { state }),
      1,
      1,
    ],
  ),
  ['drift that is reported', driftOf('reported'), 0, 2],
  ['drift that is pending', driftOf('pending'), 0, 2],
  ['drift that was corrected', driftOf('corrected'), 0, 0],
  ['drift that is ignored by wish', driftOf('ignored'), 0, 0],
];

describe('exitStatus', () => {
  for (const [what, report, without, with_] of table) {
    it(`of ${what} is ${without}, and ${with_} with --exit-code`, () => {
      expect(exitStatus(report, { exitCode: false })).to.equal(without);
      expect(exitStatus(report, { exitCode: true })).to.equal(with_);
    });
  }
});

describe('summarise', () => {
  it('counts each cluster once and each change by its action', () => {
    expect(summarise(changeReport('Plan'))).to.deep.equal({
      clusters: 3,
      inSync: 1,
      outOfSync: 0,
      held: 0,
      unreachable: 1,
      unauthorized: 0,
      unknown: 0,
      failed: 1,
      changes: {
        create: 1,
        configure: 1,
        delete: 1,
        unchanged: 3,
        held: 2,
        skipped: 1,
        pending: 1,
        failed: 1,
      },
    });
  });

  it('counts drift by kind, and what was corrected', () => {
    expect(summarise(driftReport())).to.deep.equal({
      clusters: 3,
      inSync: 1,
      outOfSync: 1,
      unreachable: 1,
      unauthorized: 0,
      unknown: 0,
      failed: 0,
      objects: 429,
      drifted: 4,
      missing: 1,
      extra: 1,
      corrected: 2,
    });
  });
});
