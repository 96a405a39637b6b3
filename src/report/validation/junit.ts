import { type Finding, formatPlace } from '../../model/finding.ts';
import { compareText } from '../../model/object-ref.ts';
import { messageOf } from '../fault-lines.ts';
import type { ValidationResult } from './validation-result.ts';

/** The test that findings of no file belong to. */
const noFile = 'the fleet';

/**
 * What was found as JUnit's XML, which CI systems show: a test for each file, which fails with its errors. Warnings
 * stand in what the test printed.
 */
export function junitOf({ findings, files }: ValidationResult): string {
  const byFile = Map.groupBy(findings, ({ place }) => place?.file ?? noFile);
  const names = [...new Set([...files, ...byFile.keys()])].sort(compareText);
  const failing = names.filter((name) => byFile.get(name)?.some(({ severity }) => severity === 'error'));
  const counts = `tests="${names.length}" failures="${failing.length}" errors="0" skipped="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="fleetwright validate" ${counts}>`,
    `  <testsuite name="fleetwright validate" ${counts}>`,
    ...names.flatMap((name) => testCase(name, byFile.get(name) ?? [])),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(name: string, findings: readonly Finding[]): string[] {
  const open = `    <testcase name="${escapeXml(name)}" classname="fleetwright.validate"`;
  if (findings.length === 0) return [`${open}/>`];
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  return [
    `${open}>`,
    ...findings
      .filter(({ severity }) => severity === 'error')
      .map((finding) => {
        const message = escapeXml(messageOf(finding).split('\n')[0] ?? '');
        return `      <failure type="${finding.code}" message="${message}">${escapeXml(lineOf(finding))}</failure>`;
      }),
    ...(warnings.length === 0
      ? []
      : [`      <system-out>${escapeXml(warnings.map(lineOf).join('\n'))}</system-out>`]),
    '    </testcase>',
  ];
}

function lineOf(finding: Finding): string {
  const place = finding.place === undefined ? '' : `${formatPlace(finding.place)}: `;
  return `${place}${finding.code}: ${messageOf(finding)}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Text for XML 1.0, without the characters that it can hold in no form. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"\n]/g, (character) => entities[character] ?? character);
}
