import { load } from 'js-yaml';
import { expect } from 'chai';

import type { FieldManager } from '../../../src/model/field.ts';
import type { JsonValue } from '../../../src/model/json.ts';
import { formatAge, formatTime } from '../../../src/report/format-time.ts';
import { formatPair, formatValue, truncate } from '../../../src/report/format-value.ts';
import { parseFormat } from '../../../src/report/format.ts';
import { managerName } from '../../../src/report/manager-name.ts';
import { renderReport } from '../../../src/report/render-report.ts';
import { toJson } from '../../../src/report/to-json.ts';
import { driftCluster, driftReport, metadata, origin, web } from './sample-reports.ts';

describe('formatValue', () => {
  const cases: readonly [JsonValue, string][] = [
    ['nginx:1.27', 'nginx:1.27'],
    ['/var/run', '/var/run'],
    ['', '""'],
    ['5', '"5"'],
    [5, '5'],
    ['1.27', '"1.27"'],
    ['true', '"true"'],
    ['No', '"No"'],
    [true, 'true'],
    [null, 'null'],
    ['null', '"null"'],
    ['a b', '"a b"'],
    ['a\nb', '"a\\nb"'],
    ['名字', '名字'],
    ['(hidden, 12ab34cd)', '(hidden, 12ab34cd)'],
    [{ a: [1, 'x'] }, '{"a":[1,"x"]}'],
  ];
  for (const [value, expected] of cases) {
    it(`of ${JSON.stringify(value)} is ${expected}`, () => {
      expect(formatValue(value)).to.equal(expected);
    });
  }
});

describe('formatPair', () => {
  it('leaves short values whole', () => {
    expect(formatPair('a', undefined, 20)).to.deep.equal(['a', undefined]);
  });

  it('shows the first difference of long ones', () => {
    const [a, b] = formatPair(
      `${'x'.repeat(90)}1${'y'.repeat(90)}`,
      `${'x'.repeat(90)}2${'y'.repeat(90)}`,
      20,
    );
    expect(a).to.equal('…xxxxx1yyyyyyyyyyyy…');
    expect(b).to.equal('…xxxxx2yyyyyyyyyyyy…');
  });

  it('never gives more characters than asked for, and never half of one', () => {
    const [a] = formatPair('🚀'.repeat(50), `${'🚀'.repeat(50)}!`, 10);
    expect(Array.from(a ?? '').length).to.be.at.most(10);
    expect(a).not.to.match(/\p{Surrogate}/u);
    expect(truncate('🚀🚀🚀', 2)).to.equal('🚀…');
  });
});

describe('managerName', () => {
  const cases: readonly [Partial<FieldManager>, string][] = [
    [{ manager: 'kubectl-edit' }, 'kubectl edit (kubectl-edit)'],
    [{ manager: 'kubectl-client-side-apply' }, 'kubectl apply (kubectl-client-side-apply)'],
    [{ manager: 'kubectl', operation: 'Apply' }, 'kubectl apply --server-side (kubectl)'],
    [{ manager: 'kubectl' }, 'kubectl'],
    [{ manager: 'kubectl', subresource: 'scale' }, 'kubectl scale (kubectl)'],
    [{ manager: 'kubectl-scale', subresource: 'scale' }, 'kubectl scale (kubectl-scale)'],
    [
      { manager: 'kube-controller-manager', subresource: 'scale' },
      'horizontal-pod-autoscaler (kube-controller-manager)',
    ],
    [{ manager: 'kube-controller-manager' }, 'kube-controller-manager'],
    [{ manager: 'kubectl', operation: 'Delete' }, 'kubectl delete (kubectl)'],
    [{ manager: 'k9s', operation: 'Delete' }, 'k9s'],
    [{ manager: 'k9s', user: 'jane' }, 'k9s by jane'],
    [
      { manager: 'kubectl-edit', user: 'jane', sourceIPs: ['10.0.0.7', '10.0.0.1'] },
      'kubectl edit (kubectl-edit) by jane from 10.0.0.7 via 10.0.0.1',
    ],
    [
      {
        manager: 'kubectl',
        operation: 'Delete',
        user: 'jane',
        target: { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'shop' },
      },
      'kubectl delete of Namespace/shop (kubectl) by jane',
    ],
    [
      {
        manager: 'kube-controller-manager',
        operation: 'Delete',
        user: 'system:serviceaccount:kube-system:namespace-controller',
        sourceIPs: ['10.0.0.1'],
      },
      'namespace-controller (kube-controller-manager)',
    ],
    [{ manager: 'k9s', user: '\u001b[2J', sourceIPs: ['\u202e'] }, 'k9s by \\u001b[2J from \\u202e'],
    [{ manager: 'argocd-controller' }, 'Argo CD (argocd-controller)'],
    [{ manager: 'toString' }, 'toString'],
    [{ manager: '\u001b[2J' }, '\\u001b[2J'],
  ];
  for (const [manager, expected] of cases) {
    it(`of ${JSON.stringify(manager)} is ${expected}`, () => {
      expect(managerName({ manager: '', operation: 'Update', ...manager })).to.equal(expected);
    });
  }
});

describe('times', () => {
  const frame = { now: '2026-11-30T14:02:13Z', timeZone: 'UTC' };
  const ages: readonly [string, string][] = [
    ['2026-11-30T14:02:12.500Z', 'just now'],
    ['2026-11-30T14:05:00Z', 'just now'],
    ['2026-11-30T14:02:11Z', '2s ago'],
    ['2026-11-30T14:00:00Z', '2m ago'],
    ['2026-11-30T09:02:13+00:00', '5h ago'],
    ['2026-11-20T14:02:13Z', '10d ago'],
    ['yesterday', 'yesterday'],
  ];
  for (const [time, expected] of ages) {
    it(`${time} was ${expected}`, () => {
      expect(formatAge(time, frame)).to.equal(expected);
    });
  }

  it('name the day when it is not that of the report', () => {
    expect(formatTime('2026-11-30T00:00:01Z', frame)).to.equal('00:00:01');
    expect(formatTime('2026-11-29T23:59:59Z', frame)).to.equal('2026-11-29 23:59:59');
  });
});

describe('JSON and YAML', () => {
  it('hold the same', () => {
    const options = { color: true, width: 80 };
    const json: unknown = JSON.parse(renderReport(driftReport(), { ...options, format: 'json' }));
    expect(json).to.deep.equal(structuredClone(toJson(driftReport())));
    expect(load(renderReport(driftReport(), { ...options, format: 'yaml' }))).to.deep.equal(json);
  });

  it('keep their keys in one order and leave out what is not known', () => {
    const json = toJson(driftReport());
    expect(Object.keys(json)).to.deep.equal([
      'apiVersion',
      'kind',
      'metadata',
      'summary',
      'clusters',
      'errors',
    ]);
    expect(JSON.stringify(json.clusters[0])).to.equal(
      `{"name":"beijing-prod","state":"reachable","lastSeenAt":"2026-11-30T14:02:11Z","revision":"${metadata.revision}","objectCount":1,"objects":[],"errors":[]}`,
    );
  });

  it('carry no raw control character even beyond ASCII', () => {
    const live = '\u009b2J\u202e\u001b[2J';
    const fields = [{ path: '.data.a', live, changedBy: [] }];
    const drift = {
      ref: web,
      origin: origin('a'),
      kind: 'changed',
      action: 'reported',
      detectedAt: metadata.generatedAt,
      fields,
    } as const;
    const report = {
      kind: 'DriftReport',
      metadata,
      clusters: [driftCluster('a', { objects: [drift] })],
      errors: [],
    } as const;
    const json = renderReport(report, { format: 'json', color: false, width: 80 });
    expect(json.replaceAll('\n', '')).not.to.match(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(JSON.parse(json)).to.have.nested.property('clusters[0].objects[0].fields[0].live', live);
  });
});

describe('parseFormat', () => {
  it('names the formats there are', () => {
    expect(parseFormat('yaml', ['text', 'yaml'])).to.equal('yaml');
    expect(() => parseFormat('sarif', ['text', 'json'])).to.throw(
      RangeError,
      "there is no format 'sarif' here; the formats are text, json",
    );
  });
});
