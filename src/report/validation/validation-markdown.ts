import { formatPlace } from '../../model/finding.ts';
import { messageOf } from '../fault-lines.ts';
import { codeSpan, tableHead, tableRow } from '../markdown/code-span.ts';
import { plural } from '../text/text-context.ts';
import { countsText } from './counts-text.ts';
import { countFindings, type ValidationResult } from './validation-result.ts';

/** GitHub refuses a comment of more than 65,536 characters. */
const maxRows = 100;
const maxMessage = 400;

/** What was found, for a pull request: one sentence, and a table. */
export function validationMarkdown(result: ValidationResult): string {
  const { findings, files, clusters, notes } = result;
  const looked = `${plural(files.length, 'file')}, ${plural(clusters.length, 'cluster')}`;
  const counts = countFindings(result);
  const mark = counts.errors > 0 ? '❌' : counts.warnings > 0 ? '🟡' : '✅';
  const rows = findings.slice(0, maxRows).map((finding) => {
    const message = messageOf(finding);
    return tableRow([
      finding.severity === 'error' ? '❌' : '🟡',
      finding.place === undefined ? '' : codeSpan(formatPlace(finding.place)),
      finding.code,
      codeSpan(message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message),
    ]);
  });
  const more = findings.length - rows.length;
  const lines = [
    `### ${mark} ${looked}: ${countsText(counts)}`,
    ...(rows.length === 0 ? [] : ['', ...tableHead(['', 'where', 'what', 'message']), ...rows]),
    ...(more > 0 ? ['', `and ${more} more`] : []),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `<sub>${note}</sub>`)]),
  ];
  return `${lines.join('\n')}\n`;
}
