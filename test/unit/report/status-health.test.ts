import { expect } from 'chai';

import type { ClusterHealth } from '../../../src/model/health.ts';
import type { FleetStatus } from '../../../src/model/status.ts';
import { renderStatus, statusJson } from '../../../src/report/fleet-status.ts';

const health: ClusterHealth = {
  counts: { healthy: 12, progressing: 21, degraded: 1, suspended: 0 },
  unwell: [
    {
      ref: { apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name: 'move' },
      state: 'degraded',
      reason: 'BackoffLimitExceeded',
    },
  ],
};

function statusOf(known: { health?: ClusterHealth }): FleetStatus {
  return {
    fleet: 'acme',
    revision: 'a'.repeat(40),
    generatedAt: '2026-01-01T00:00:00Z',
    clusters: [
      {
        name: 'tokyo',
        state: 'reachable',
        labels: {},
        objects: 34,
        drifted: 0,
        held: 0,
        failed: 0,
        ...known,
      },
    ],
    generators: [],
  };
}

const linesOf = (status: FleetStatus): string[] =>
  renderStatus(status, { color: false, width: 120 }).split('\n');

describe('the health of clusters in a status', () => {
  it('is counted below the cluster, with what is not well', () => {
    expect(linesOf(statusOf({ health }))).to.include.members([
      '  health: 1 degraded, 21 progressing, 12 healthy',
      '    Job/move in shop is degraded: BackoffLimitExceeded',
      '    and 21 more that are not healthy',
    ]);
  });

  it('is left out where nothing is known of it', () => {
    expect(linesOf(statusOf({})).filter((line) => line.includes('health'))).to.deep.equal([]);
    expect(JSON.stringify(statusJson(statusOf({})))).not.to.include('health');
  });

  it('is whole in JSON', () => {
    expect(statusJson(statusOf({ health }))).to.have.nested.property('clusters[0].health', health);
  });
});
