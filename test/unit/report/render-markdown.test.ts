import { expect } from 'chai';

import { FleetError } from '../../../src/model/fleet-error.ts';
import type { ChangeReport } from '../../../src/model/report.ts';
import { codeSpan, htmlCode } from '../../../src/report/markdown/code-span.ts';
import { renderReport } from '../../../src/report/render-report.ts';
import { changeReport, cluster, driftReport, metadata, origin, ref } from './sample-reports.ts';

const options = { format: 'markdown', color: true, width: 80 } as const;

describe('Markdown', () => {
  it('is fit for a pull request: a summary, a table, folded details', () => {
    const text = renderReport(driftReport(), options);
    expect(text).to.contain(`\
### Drift of \`acme\` at \`3f2c1ab\`

3 clusters: 1 in sync, 1 drifted, 1 unreachable. Drift in 4 objects: 1 missing, 1 extra; 1 ignored; 2 corrected in the last day.

| Cluster | State | Objects | Drifted | Corrected |
| --- | --- | --- | --- | --- |
| \`beijing-prod\` | ✅ in sync | 1 | 0 | 0 |
| \`chengdu-edge\` | ⚫ unreachable | 214 | 0 | 0 |
| \`shanghai-prod\` | 🟡 differs | 214 | 4 | 2 |
`);
    expect(text).to.contain(
      '| corrected | `Deployment/web in shop` | `apps/frontend/deployment.yaml:1` | `.spec.replicas` | `5` → `2` | `kubectl scale (kubectl)` |\n',
    );
    expect(text).not.to.contain('<summary><code>beijing-prod');
  });

  it('shows the command that lets held changes through, once', () => {
    const text = renderReport(changeReport('Plan'), options);
    expect(text.split('fleetwright approve a1b2c3d4e5f6').length).to.equal(2);
  });

  it('keeps each row a row and each cell inert, whatever an object says', () => {
    const evil = '\\|`|</details><script>@everyone\n| x | [a](http://b)';
    const field = {
      path: `.data["${evil}"]`,
      desired: evil,
      live: evil,
      changedBy: [{ manager: evil, operation: 'Update' } as const],
    };
    const report: ChangeReport = {
      kind: 'Plan',
      metadata,
      errors: [new FleetError('Internal', evil)],
      clusters: [
        cluster(`c${evil}`, {
          changes: [
            { action: 'configure', ref: ref('ConfigMap/a', evil), origin: origin(evil), fields: [field] },
          ],
        }),
      ],
    };
    const text = renderReport(report, options);
    for (const row of text.split('\n').filter((line) => line.startsWith('|'))) {
      expect(row.replace(/\\./g, '').split('|').length, row).to.be.oneOf([8, 11]);
    }
    const outsideCode = text.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
    expect(outsideCode).not.to.match(/<script|@everyone|\]\(http/);
  });

  it('stays below the size that a pull request comment may have', () => {
    const changes = Array.from({ length: 500 }, (_, index) => ({
      action: 'create' as const,
      ref: ref(`ConfigMap/${'long-name-'.repeat(10)}${index}`, 'shop'),
      origin: origin(`apps/${'deep/'.repeat(10)}${index}.yaml`),
      fields: [],
    }));
    const clusters = Array.from({ length: 300 }, (_, index) => cluster(`cluster-${index}`, { changes }));
    const text = renderReport({ kind: 'Plan', metadata, clusters, errors: [] }, options);
    expect(text.length).to.be.lessThan(65_536);
    expect(text)
      .to.contain('200 more; `-o json` has them all.')
      .and.to.match(/Details left out to fit: \d+ clusters/);
  });
});

describe('codeSpan', () => {
  const cases: readonly [string, string][] = [
    ['plain', '`plain`'],
    ['', ''],
    ['a|b', '`a|b`'],
    ['a`b', '``a`b``'],
    ['``', '``` `` ```'],
    [' ', '`   `'],
    ['a\nb', '`a\\nb`'],
  ];
  for (const [text, expected] of cases) {
    it(`of ${JSON.stringify(text)} is ${expected}`, () => {
      expect(codeSpan(text)).to.equal(expected);
    });
  }
});

describe('htmlCode', () => {
  it('lets no element and no mention through', () => {
    expect(htmlCode('<b>&@me 东-1')).to.equal('<code>&#60;b&#62;&#38;&#64;me 东-1</code>');
  });
});
