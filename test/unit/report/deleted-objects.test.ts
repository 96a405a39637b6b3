import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';

import type { Change, Drift } from '../../../src/model/change.ts';
import type { FieldManager } from '../../../src/model/field.ts';
import type { ChangeReport, DriftReport } from '../../../src/model/report.ts';
import { publishedSchemas } from '../../../src/report/published-schemas.ts';
import { renderReport } from '../../../src/report/render-report.ts';
import { toJson } from '../../../src/report/to-json.ts';
import { renderDrift } from '../../../src/server/page/drift-section.ts';
import { cluster, driftCluster, metadata, origin, ref } from './sample-reports.ts';

const namespace = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'shop' };
const changedBy: readonly FieldManager[] = [
  {
    manager: 'kubectl',
    operation: 'Delete',
    time: '2026-11-30T14:02:05.123456Z',
    user: 'jane@example.com',
    sourceIPs: ['10.0.0.7'],
    target: namespace,
  },
  {
    manager: 'kube-controller-manager',
    operation: 'Delete',
    time: '2026-11-30T14:02:10.5Z',
    user: 'system:serviceaccount:kube-system:namespace-controller',
    sourceIPs: ['10.0.0.1'],
  },
];

const object = { ref: ref('Service/web', 'shop'), origin: origin('apps/web.yaml', 2), fields: [] };
const missing: Drift = {
  ...object,
  kind: 'missing',
  action: 'corrected',
  detectedAt: '2026-11-30T14:02:10Z',
  correctedAt: '2026-11-30T14:02:11Z',
  changedBy,
};
const created: Change = { ...object, action: 'create', changedBy };
const warnings = ['the audit log /a does not exist'];

const drift: DriftReport = {
  kind: 'DriftReport',
  metadata,
  clusters: [driftCluster('a', { objects: [missing], warnings })],
  errors: [],
};
const plan: ChangeReport = {
  kind: 'Plan',
  metadata,
  clusters: [cluster('a', { changes: [created] })],
  errors: [],
};
const text = { format: 'text', color: false, width: 200 } as const;
const who =
  'kubectl delete of Namespace/shop (kubectl) by jane@example.com from 10.0.0.7, 14:02:05 (7s ago); ' +
  'namespace-controller (kube-controller-manager), 14:02:10 (2s ago)';

describe('an object that somebody deleted', () => {
  it('says so in a drift report as text', () => {
    const report = renderReport(drift, text);
    expect(report).to.contain('  note: the audit log /a does not exist\n');
    expect(report).to.contain('  - Service/web in shop  apps/web.yaml:2  missing, corrected 14:02:11\n');
    expect(report)
      .to.match(/\n {6}deleted by {2,}kubectl delete of /)
      .and.to.contain(who);
  });

  it('says so in a plan as text', () => {
    const report = renderReport(plan, text);
    expect(report).to.contain('  + Service/web in shop').and.to.contain(who);
  });

  it('says so in Markdown', () => {
    const markdown = renderReport(drift, { ...text, format: 'markdown' });
    expect(markdown).to.contain(
      '| `kubectl delete of Namespace/shop (kubectl) by jane@example.com from 10.0.0.7 at 2026-11-30T14:02:05.123456Z`, ' +
        '`namespace-controller (kube-controller-manager) at 2026-11-30T14:02:10.5Z` |',
    );
    expect(markdown).to.contain('- note: `the audit log /a does not exist`');
    expect(renderReport(plan, { ...text, format: 'markdown' })).to.contain('by jane@example.com');
  });

  it('says so in JSON, as the schema has it', () => {
    const json = toJson(drift);
    expect(json).to.have.deep.nested.property('clusters[0].objects[0].changedBy', changedBy);
    expect(json).to.have.deep.nested.property('clusters[0].warnings', warnings);
    const planned = toJson(plan);
    expect(planned).to.have.deep.nested.property('clusters[0].changes[0].changedBy', changedBy);
    const schemas = publishedSchemas();
    for (const [file, report] of [['drift-report.json', json] as const, ['plan.json', planned] as const]) {
      const validate = new Ajv2020({ strict: false }).compile(schemas[file]!);
      expect(validate(report), JSON.stringify(validate.errors)).to.equal(true);
    }
  });

  it('says so on the page, whatever the user is called', () => {
    const by: FieldManager = { manager: 'k9s', operation: 'Delete', user: '<b>eve</b>' };
    const evil: DriftReport = {
      ...drift,
      clusters: [driftCluster('a', { objects: [{ ...missing, changedBy: [by] }] })],
    };
    const page = renderDrift(evil).markup;
    expect(page).to.contain('deleted by k9s by &lt;b&gt;eve').and.not.to.contain('<b>eve');
  });
});
