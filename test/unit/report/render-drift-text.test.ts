import { expect } from 'chai';

import type { Drift } from '../../../src/model/change.ts';
import type { DriftReport } from '../../../src/model/report.ts';
import { renderReport } from '../../../src/report/render-report.ts';
import { driftCluster, driftReport, metadata, origin, ref, web } from './sample-reports.ts';

const plain = { format: 'text', color: false, width: 120 } as const;

function reportOf(...clusters: DriftReport['clusters']): DriftReport {
  return { kind: 'DriftReport', metadata, clusters, errors: [] };
}

const scaled: Drift = {
  ref: web,
  origin: origin('apps/frontend/deployment.yaml'),
  kind: 'changed',
  action: 'corrected',
  detectedAt: '2026-11-30T14:02:10Z',
  correctedAt: '2026-11-30T14:02:11Z',
  fields: [
    {
      path: '.spec.replicas',
      desired: 2,
      live: 5,
      changedBy: [{ manager: 'kubectl-edit', operation: 'Update', time: '2026-11-30T14:02:10Z' }],
    },
  ],
};

describe('drift as text', () => {
  it('says what, where in Git, how, who and when', () => {
    expect(renderReport(driftReport(), plain)).to.equal(`\
Drift of acme at 3f2c1ab, 2026-11-30 14:02:13 UTC

beijing-prod  in sync, 1 object  (revision 3f2c1ab, seen 2s ago)

chengdu-edge  unreachable, last seen 12m ago (13:50:01)
  ! ClusterUnreachable
      connect ECONNREFUSED 127.0.0.1:6443
      → Check the network path; nothing of the cluster is forgotten and it catches up by itself.

shanghai-prod  drift in 4 of 215 objects; 1 ignored; 2 corrected in the last day  (revision 3f2c1ab, seen 2s ago)
  ~ ConfigMap/settings in shop  apps/frontend/settings.yaml:7    to be corrected, seen 14:02:10
      .data.mode                fast in Git, not in the cluster  by whom is not recorded
      .data.note                not in Git, "no" in the cluster  k9s, 2026-11-28 10:00:00 (2d ago)
      .data["app.conf"]         …a long header\\nport = 8080\\n" in Git, …a long header\\nport = 9090\\n" in the cluster
          kubectl edit (kubectl-edit), 14:02:10 (3s ago)
  + ConfigMap/stray in shop     generator frontend               not in Git, ignored: it opted out of pruning
  ~ Deployment/web in shop      apps/frontend/deployment.yaml:1  corrected 14:02:11
      .spec.replicas            2 in Git, 5 in the cluster       kubectl scale (kubectl)
  ! Job/import in shop          apps/job.yaml:1  conflict, left as it is since 14:02:10: it belongs to Argo CD
  ! Role/reader in shop         apps/rbac.yaml:1                 our label was removed, corrected
  - Service/web in shop         apps/frontend/service.yaml:2     missing, left as it is since 14:02:10

3 clusters: 1 in sync, 1 drifted, 1 unreachable. Drift in 4 objects: 1 missing, 1 extra; 1 ignored; 2 corrected in the last day.
`);
  });

  it('is coloured where that is asked for', () => {
    const text = renderReport(reportOf(driftCluster('a', { objects: [scaled] })), { ...plain, color: true });
    expect(text.replaceAll('\u001b', '^')).to.equal(`\
Drift of ^[1macme^[22m at 3f2c1ab, 2026-11-30 14:02:13 UTC

^[1ma^[22m  ^[32min sync, 214 objects; 1 corrected in the last day^[39m  ^[2m(revision 3f2c1ab, seen 2s ago)^[22m
  ^[33m~^[39m Deployment/^[1mweb^[22m^[2m in shop^[22m  ^[36mapps/frontend/deployment.yaml:1^[39m  ^[32mcorrected 14:02:11^[39m
      .spec.replicas        ^[32m2^[39m in Git, ^[31m5^[39m in the cluster       ^[2mkubectl edit (kubectl-edit), 14:02:10 (3s ago)^[22m

^[32m1 cluster: 1 in sync. No drift in 214 objects; 1 corrected in the last day.^[39m
`);
  });

  it('tells time in the zone of its reader', () => {
    const text = renderReport(reportOf(driftCluster('a', { objects: [scaled] })), {
      ...plain,
      timeZone: 'Asia/Shanghai',
    });
    expect(text)
      .to.contain('2026-11-30 22:02:13 GMT+8')
      .and.to.contain('22:02:10 (3s ago)')
      .and.not.to.contain('14:02');
  });

  it('keeps a calm fleet to a line a cluster', () => {
    const text = renderReport(
      reportOf(driftCluster('b-longer'), driftCluster('a', { objectCount: 0 })),
      plain,
    );
    expect(text).to.equal(`\
Drift of acme at 3f2c1ab, 2026-11-30 14:02:13 UTC

a         in sync, 0 objects  (revision 3f2c1ab, seen 2s ago)
b-longer  in sync, 214 objects  (revision 3f2c1ab, seen 2s ago)

2 clusters: 2 in sync. No drift in 214 objects.
`);
  });

  it('says that our label was removed, and by whom, in place of its field', () => {
    const unlabelled: Drift = {
      ...scaled,
      kind: 'unlabelled',
      fields: [
        {
          path: '.metadata.labels["applyset.kubernetes.io/part-of"]',
          desired: 'applyset-x-v1',
          changedBy: [{ manager: 'kubectl-label', operation: 'Update' }],
        },
      ],
    };
    const text = renderReport(reportOf(driftCluster('a', { objects: [unlabelled] })), plain);
    expect(text).to.match(/ {6}our label was removed +kubectl label \(kubectl-label\)\n/);
    expect(text).not.to.contain('applyset');
    const markdown = renderReport(reportOf(driftCluster('a', { objects: [unlabelled] })), {
      ...plain,
      format: 'markdown',
    });
    expect(markdown).to.contain('our label was removed').and.not.to.contain('applyset');
  });

  it('gives each object one entry, however often it was put right', () => {
    const again = { ...scaled, detectedAt: '2026-11-30T14:00:00Z', correctedAt: '2026-11-30T14:00:01Z' };
    const left: Drift = {
      ...scaled,
      ref: ref('ConfigMap/a', 'shop'),
      action: 'reported',
      detectedAt: '2026-11-30T14:02:12Z',
    };
    const before: Drift = { ...scaled, ref: left.ref };
    const text = renderReport(reportOf(driftCluster('a', { objects: [scaled, again, left, before] })), plain);
    expect(text.split('Deployment/').length).to.equal(2);
    expect(text)
      .to.contain('drift in 1 of 214 objects; 2 corrected in the last day')
      .and.to.contain('corrected 2×, last 14:02:11')
      .and.to.contain('left as it is since 14:02:12; corrected 14:02:11 before');
  });

  it('says in words that there is no cluster, and no revision', () => {
    const text = renderReport({ ...reportOf(), metadata: { ...metadata, revision: '' } }, plain);
    expect(text).to.equal(`\
Drift of acme at no revision yet, 2026-11-30 14:02:13 UTC

No cluster: none is registered, or none has the names asked for.
`);
  });

  it('lets nothing of a live object act on the terminal', () => {
    const evil = '\u001b[2J\u0007\u009b31m\u202egnp.exe\r\nforged line';
    const text = renderReport(
      reportOf(
        driftCluster(`a${evil}`, {
          objects: [
            {
              ...scaled,
              reason: evil,
              ref: ref(`ConfigMap/x${evil}`, evil),
              origin: origin(`f${evil}`),
              fields: [
                {
                  path: `.data["${evil}"]`,
                  live: evil,
                  desired: { [evil]: [evil] },
                  changedBy: [{ manager: evil, operation: 'Update', time: evil }],
                },
              ],
            },
          ],
        }),
      ),
      { ...plain, verbose: true },
    );
    expect(text.replaceAll('\n', '')).not.to.match(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(text).to.contain('\\u001b[2J').and.to.contain('\\u202e');
    expect(text.split('\n').some((line) => line.startsWith('forged'))).to.equal(false);
  });
});
