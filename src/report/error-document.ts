import { errorCodes } from '../model/error-codes.ts';
import { warningCodes } from '../model/warning-codes.ts';

import { sortedBy } from './format.ts';

const retries = {
  soon: 'soon, with growing pauses',
  interval: 'at the next interval',
  never: 'not before something changes',
} as const;

/** docs/errors.md as it must stand: every code, what it means, what to do and when it is tried again; then warnings. */
export function errorDocument(): string {
  const sections = sortedBy(Object.entries(errorCodes), ([code]) => code).map(([code, entry]) =>
    [
      `## ${code}`,
      '',
      entry.meaning,
      '',
      `- What to do: ${entry.remedy}`,
      `- Tried again: ${retries[entry.retry]}`,
      `- HTTP status in the API: ${entry.httpStatus}`,
    ].join('\n'),
  );
  const warnings = sortedBy(Object.entries(warningCodes), ([code]) => code).map(
    ([code, { meaning, remedy }]) => `### ${code}\n\n${meaning}\n\n- What to do: ${remedy}`,
  );
  const parts = ['# Error codes', introduction, ...sections, '## Warnings', aboutWarnings, ...warnings];
  return `${parts.join('\n\n')}\n`;
}

const introduction = `Every error in a report, a log line or the API has one of these codes. This page is made from
src/model/error-codes.ts: change that file and run \`node scripts/generate.ts\`.`;

const aboutWarnings = `What \`fleetwright validate\` warns of has one of these codes, made from src/model/warning-codes.ts. With
\`--strict\` warnings count as errors.`;
