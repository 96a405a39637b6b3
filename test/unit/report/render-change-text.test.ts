import { expect } from 'chai';

import { FleetError } from '../../../src/model/fleet-error.ts';
import type { ChangeReport } from '../../../src/model/report.ts';
import { renderReport } from '../../../src/report/render-report.ts';
import { layOut } from '../../../src/report/text/table.ts';
import { changeReport, cluster, metadata, origin, ref, unchanged } from './sample-reports.ts';

const plain = { format: 'text', color: false, width: 120 } as const;

function reportOf(kind: ChangeReport['kind'], ...clusters: ChangeReport['clusters']): ChangeReport {
  return { kind, metadata, clusters, errors: [] };
}

describe('a plan as text', () => {
  it('shows every change with its sign, origin, fields and reason', () => {
    expect(renderReport(changeReport('Plan'), plain)).to.equal(`\
Plan for acme at 3f2c1ab, 2026-11-30 14:02:13 UTC

! ManifestInvalid  apps/broken.yaml:3:5
    duplicated mapping key
    → Mend the file at the position given. Nothing of this cluster is pruned until then.

beijing-prod  in sync, 2 objects  (revision 3f2c1ab, seen 2s ago)

chengdu-edge  unreachable, last seen 12m ago (13:50:01)
  ! ClusterUnreachable
      connect ECONNREFUSED 127.0.0.1:6443
      → Check the network path; nothing of the cluster is forgotten and it catches up by itself.

shanghai-prod  1 to create, 1 to configure, 1 to delete, 2 held, 1 failed, 1 pending, 1 skipped, 1 unchanged  (revision 3f2c1ab, seen 2s ago)
  note: label env: production of Git wins over staging of the registry
  + Namespace/shop                                    clusters/shanghai-prod/ns.yaml:1
  - ConfigMap/gone in shop                            generator frontend  no longer in Git
  ! Deployment/api in shop                            apps/backend/api.yaml:3  FieldImmutable
      spec.selector: Invalid value: field is immutable
      → Undo it, or annotate the object with fleetwright.dev/apply: replace to delete and create it anew.
  ~ Deployment/web in shop                            apps/frontend/deployment.yaml:12
      .spec.paused                                    true → (unset)
      .spec.replicas                                  5 → 2  kubectl scale (kubectl-scale)
      .spec.template.spec.containers[name=web].image  registry.example/web:1.27 → registry.example/web:1.28
          fleetwright, 2026-11-29 09:00:00 (29h ago)
  · Secret/token in shop                              apps/token.yaml:1  skipped: drift is ignored by its annotation
  … Widget/one in shop                                apps/widget.yaml:4  pending: waits for its definition
  ! ConfigMap/old-1 in shop                           generator frontend
  ! ConfigMap/old-2 in shop                           generator frontend
      held: it would delete 30 of 214 objects, more than 20 percent
      to let it through: fleetwright approve a1b2c3d4e5f6

3 clusters: 1 in sync, 1 failed, 1 unreachable. 1 to create, 1 to configure, 1 to delete, 2 held, 1 failed, 1 pending, 1 skipped, 3 unchanged.
`);
  });

  it('says once what many wait for, and when in the time of its reader', () => {
    const pending = (name: string) => ({
      action: 'pending' as const,
      ref: ref(`ConfigMap/${name}`, 'shop'),
      origin: origin('a.yaml'),
      fields: [],
      reason: 'removed after 2026-11-30T14:02:16.500Z',
    });
    const report = reportOf('Plan', cluster('a', { changes: [pending('x'), pending('y')] }));
    expect(renderReport(report, plain)).to.contain(`\
  … ConfigMap/x in shop  a.yaml:1
  … ConfigMap/y in shop  a.yaml:1
      pending: removed after 14:02:16 (in 3s)
`);
  });

  it('names the settings in what is to be pasted, quoted for a shell', () => {
    const text = renderReport(changeReport('Plan'), { ...plain, settingsPath: "it's here/fleet.yaml" });
    expect(text).to.contain(String.raw`fleetwright approve a1b2c3d4e5f6 -c 'it'\''s here/fleet.yaml'`);
    const markdown = renderReport(changeReport('Plan'), {
      ...plain,
      format: 'markdown',
      settingsPath: '/etc/fleet.yaml',
    });
    expect(markdown).to.contain('`fleetwright approve a1b2c3d4e5f6 -c /etc/fleet.yaml`');
  });

  it('gives no remedy that speaks of a file for an argument', () => {
    const report = { ...reportOf('Plan'), errors: [new FleetError('ConfigInvalid', 'no such cluster')] };
    expect(renderReport(report, plain)).to.contain('no such cluster').and.not.to.contain('→');
  });

  it('shows unchanged objects when asked to be verbose', () => {
    const report = reportOf('Plan', cluster('a', { changes: [unchanged('ConfigMap/same')] }));
    expect(renderReport(report, plain)).not.to.contain('ConfigMap/same');
    expect(renderReport(report, { ...plain, verbose: true })).to.contain(
      '  = ConfigMap/same in shop  apps/frontend/all.yaml:1\n',
    );
  });

  it('is the same whatever the order of what it is given', () => {
    const report = changeReport('Plan');
    const reversed: ChangeReport = {
      ...report,
      clusters: report.clusters
        .toReversed()
        .map((each) => ({ ...each, changes: each.changes.toReversed(), errors: each.errors.toReversed() })),
    };
    for (const format of ['text', 'json', 'yaml', 'markdown'] as const) {
      expect(renderReport(reversed, { ...plain, format })).to.equal(
        renderReport(report, { ...plain, format }),
      );
    }
  });

  it('copes with more objects than a function takes arguments', () => {
    const rows = Array.from({ length: 130_000 }, () => ({ indent: 2, cells: ['a', 'b'] }));
    expect(new Set(layOut(rows, plain))).to.deep.equal(new Set(['  a  b']));
  });

  it('shows an error once, under the change that failed', () => {
    const error = new FleetError('Forbidden', 'cannot patch', {
      ref: ref('ConfigMap/a', 'shop'),
      origin: origin('a.yaml'),
    });
    const change = {
      action: 'failed',
      ref: ref('ConfigMap/a', 'shop'),
      origin: origin('a.yaml'),
      fields: [],
      reason: 'Forbidden',
      error,
    } as const;
    const text = renderReport(
      reportOf('SyncReport', cluster('a', { changes: [change], errors: [error] })),
      plain,
    );
    expect(text.split('cannot patch').length).to.equal(2);
  });
});

describe('a sync as text', () => {
  it('speaks of what was done', () => {
    const done = {
      action: 'create',
      ref: ref('Namespace/shop'),
      origin: origin('ns.yaml'),
      fields: [],
    } as const;
    const report = reportOf(
      'SyncReport',
      cluster('a', { changes: [done, unchanged('ConfigMap/x')] }),
      cluster('b', { changes: [unchanged('ConfigMap/x')] }),
    );
    expect(renderReport(report, plain)).to.equal(`\
Sync of acme at 3f2c1ab, 2026-11-30 14:02:13 UTC

a  in sync: 1 created, 1 unchanged  (revision 3f2c1ab, seen 2s ago)
  + Namespace/shop  ns.yaml:1

b  in sync, 1 object  (revision 3f2c1ab, seen 2s ago)

2 clusters: 2 in sync. 1 created, 2 unchanged.
`);
  });

  it('cuts long values to the width, and nothing when verbose', () => {
    const field = {
      path: '.data.a',
      desired: `${'x'.repeat(500)}b`,
      live: `${'x'.repeat(500)}a`,
      changedBy: [],
    };
    const change = {
      action: 'configure',
      ref: ref('ConfigMap/a', 'shop'),
      origin: origin('a.yaml'),
      fields: [field],
    } as const;
    const report = reportOf('SyncReport', cluster('a', { changes: [change] }));
    const x = 'x'.repeat(18);
    expect(renderReport(report, { ...plain, width: 80 })).to.contain(`  …${x}a → …${x}b\n`);
    expect(renderReport(report, { ...plain, verbose: true })).to.contain('x'.repeat(500));
  });
});
