import { readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';

import type { Finding } from '../../../src/model/finding.ts';
import { renderValidation, type ValidationFormat } from '../../../src/report/validation/render-validation.ts';
import type { ValidationResult } from '../../../src/report/validation/validation-result.ts';
import { sarifShape } from './sarif-shape.ts';

const findings: readonly Finding[] = [
  { severity: 'error', code: 'ConfigInvalid', message: 'the registry is empty' },
  {
    severity: 'error',
    code: 'ObjectInvalid',
    message: 'Pod/a: unknown field "spec.<x>" & more\nsecond line',
    place: { file: 'apps/ä b/web.yaml', document: 2, line: 7, column: 3 },
    generator: 'web',
    ref: { apiVersion: 'v1', kind: 'Pod', namespace: '', name: 'a' },
    clusters: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
  },
  {
    severity: 'warning',
    code: 'SourceUnused',
    message: 'no generator reads it',
    place: { file: 'apps/old' },
  },
  {
    severity: 'warning',
    code: 'SelectorUnmatched',
    message: 'clusterSelector matches no cluster',
    place: { file: 'generators/web.yaml', document: 1, line: 6, column: 3 },
    generator: 'web',
  },
];

const result: ValidationResult = {
  revision: 'working-copy',
  kubernetes: '1.36',
  root: 'fleets/acme',
  files: ['apps/clean.yaml', 'apps/ä b/web.yaml', 'generators/web.yaml'],
  clusters: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
  findings,
  notes: ['a note'],
};
const clean: ValidationResult = { ...result, findings: [], notes: [] };

const render = (format: ValidationFormat, of = result): string =>
  renderValidation(of, { format, color: false, version: '9.8.7' });

describe('what validation found', () => {
  it('as text has a line for each finding, and ends with the counts', () => {
    expect(render('text')).to.equal(
      [
        'ConfigInvalid: the registry is empty',
        'apps/ä b/web.yaml:7:3: ObjectInvalid: Pod/a: unknown field "spec.<x>" & more',
        '    second line (in a, b, c, d, e and 2 more)',
        'apps/old: warning: SourceUnused: no generator reads it',
        'generators/web.yaml:6:3: warning: SelectorUnmatched: clusterSelector matches no cluster',
        'note: a note',
        '3 files, 8 clusters: 2 errors, 2 warnings',
        '',
      ].join('\n'),
    );
    expect(render('text', clean)).to.equal('3 files, 8 clusters: no fault\n');
  });

  it('as JSON is what the published schema says', () => {
    const file = new URL('../../../schemas/validation-report.json', import.meta.url);
    const validate = new Ajv2020({ strict: true, allErrors: true }).compile(
      JSON.parse(readFileSync(file, 'utf8')) as object,
    );
    for (const each of [result, clean]) {
      expect(validate(JSON.parse(render('json', each))), JSON.stringify(validate.errors)).to.equal(true);
    }
    const report = JSON.parse(render('json')) as { findings: { severity: string }[] };
    expect(report).to.deep.include({ summary: { files: 3, clusters: 8, errors: 2, warnings: 2 } });
    report.findings[0]!.severity = 'fatal';
    expect(validate(report)).to.equal(false);
  });

  it('as YAML is the same as JSON', () => {
    expect(render('yaml')).to.contain('kind: ValidationReport').and.to.contain('severity: warning');
  });

  it('as SARIF has the shape that the standard asks for', () => {
    const validate = new Ajv({ strict: true, allErrors: true }).compile(sarifShape);
    for (const each of [result, clean]) {
      expect(validate(JSON.parse(render('sarif', each))), JSON.stringify(validate.errors)).to.equal(true);
    }
  });

  it('as SARIF names rules with their help, and files from the repository’s root', () => {
    const log = JSON.parse(render('sarif')) as {
      runs: {
        tool: { driver: { version: string; rules: { id: string; help: { text: string } }[] } };
        results: { ruleId: string; ruleIndex: number; level: string; locations?: unknown[] }[];
      }[];
    };
    const { tool, results } = log.runs[0]!;
    expect(tool.driver.version).to.equal('9.8.7');
    expect(results.map(({ ruleId, ruleIndex }) => tool.driver.rules[ruleIndex]?.id === ruleId)).to.deep.equal(
      findings.map(() => true),
    );
    expect(tool.driver.rules.every(({ help }) => help.text.length > 10)).to.equal(true);
    expect(results.map(({ level, locations }) => [level, locations?.[0]])).to.deep.equal([
      ['error', undefined],
      [
        'error',
        {
          physicalLocation: {
            artifactLocation: { uri: 'fleets/acme/apps/%C3%A4%20b/web.yaml', uriBaseId: '%SRCROOT%' },
            region: { startLine: 7, startColumn: 3 },
          },
        },
      ],
      [
        'warning',
        { physicalLocation: { artifactLocation: { uri: 'fleets/acme/apps/old', uriBaseId: '%SRCROOT%' } } },
      ],
      [
        'warning',
        {
          physicalLocation: {
            artifactLocation: { uri: 'fleets/acme/generators/web.yaml', uriBaseId: '%SRCROOT%' },
            region: { startLine: 6, startColumn: 3 },
          },
        },
      ],
    ]);
  });

  it('as JUnit has a test for each file, which fails with errors alone', () => {
    expect(render('junit')).to.equal(
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="fleetwright validate" tests="5" failures="2" errors="0" skipped="0">
  <testsuite name="fleetwright validate" tests="5" failures="2" errors="0" skipped="0">
    <testcase name="apps/clean.yaml" classname="fleetwright.validate"/>
    <testcase name="apps/old" classname="fleetwright.validate">
      <system-out>apps/old: SourceUnused: no generator reads it</system-out>
    </testcase>
    <testcase name="apps/ä b/web.yaml" classname="fleetwright.validate">
      <failure type="ObjectInvalid" message="Pod/a: unknown field &quot;spec.&lt;x&gt;&quot; &amp; more">apps/ä b/web.yaml:7:3: ObjectInvalid: Pod/a: unknown field &quot;spec.&lt;x&gt;&quot; &amp; more&#10;second line (in a, b, c, d, e and 2 more)</failure>
    </testcase>
    <testcase name="generators/web.yaml" classname="fleetwright.validate">
      <system-out>generators/web.yaml:6:3: SelectorUnmatched: clusterSelector matches no cluster</system-out>
    </testcase>
    <testcase name="the fleet" classname="fleetwright.validate">
      <failure type="ConfigInvalid" message="the registry is empty">ConfigInvalid: the registry is empty</failure>
    </testcase>
  </testsuite>
</testsuites>
`,
    );
    expect(render('junit', clean).match(/<testcase /g)).to.have.length(3);
    expect(render('junit', clean)).not.to.contain('<failure');
  });

  it('as JUnit holds no character that XML cannot', () => {
    const finding = { ...findings[0]!, message: 'a\u0000b\u001bc\uD800d\u{1F600}' };
    expect(render('junit', { ...clean, findings: [finding] })).to.contain('abcd\u{1F600}');
  });

  it('as Markdown is a table for a pull request', () => {
    expect(render('markdown').split('\n').slice(0, 4)).to.deep.equal([
      '### ❌ 3 files, 8 clusters: 2 errors, 2 warnings',
      '',
      '|  | where | what | message |',
      '| --- | --- | --- | --- |',
    ]);
    expect(render('markdown', clean)).to.equal('### ✅ 3 files, 8 clusters: no fault\n');
  });

  it('as Markdown stays within what a comment can hold', () => {
    const many = Array.from({ length: 5_000 }, () => ({ ...findings[1]!, message: 'x'.repeat(5_000) }));
    expect(render('markdown', { ...result, findings: many }).length).to.be.lessThan(65_536);
  });
});
