import { errorCodes } from '../../model/error-codes.ts';
import type { Finding, Place } from '../../model/finding.ts';
import { compareText } from '../../model/object-ref.ts';
import { warningCodes } from '../../model/warning-codes.ts';
import { messageOf } from '../fault-lines.ts';
import type { ValidationResult } from './validation-result.ts';

const base = '%SRCROOT%';

/**
 * What was found as a SARIF log, which code review reads. Files are named from the repository's root, where the fleet
 * may be a folder in it. Source: SARIF 2.1.0, OASIS, sections 3.13 to 3.30.
 */
export function sarifOf({ findings, root }: ValidationResult, version: string) {
  const codes = [...new Set(findings.map(({ code }) => code))].sort(compareText);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'fleetwright', version, rules: codes.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [base]: { description: { text: 'The root of the repository.' } } },
        results: findings.map((finding) => ({
          ruleId: finding.code,
          ruleIndex: codes.indexOf(finding.code),
          level: finding.severity,
          message: { text: messageOf(finding) },
          ...(finding.place !== undefined && { locations: [locationOf(finding.place, root)] }),
        })),
      },
    ],
  };
}

function ruleOf(code: Finding['code']) {
  const { meaning, remedy } = { ...errorCodes, ...warningCodes }[code];
  return {
    id: code,
    shortDescription: { text: meaning },
    help: { text: remedy },
    defaultConfiguration: { level: code in warningCodes ? 'warning' : 'error' },
  };
}

function locationOf({ file, line, column }: Place, root: string) {
  const path = root === '' ? file : `${root}/${file}`;
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return {
    physicalLocation: {
      artifactLocation: { uri, uriBaseId: base },
      ...(line !== undefined && {
        region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
      }),
    },
  };
}
