import type { ChangeReport, DriftReport, Report } from '../../model/report.ts';

import type { RenderOptions } from '../format.ts';
import { formatFullTime } from '../format-time.ts';
import { countDrift } from '../drift-entries.ts';
import { sortReport } from '../sort-report.ts';
import { countChanges, driftVerdictOf, type ClusterVerdict, verdictOf } from '../summarise.ts';
import { changeSummaryText } from '../text/change-text.ts';
import { driftSummaryText } from '../text/drift-text.ts';
import { plural, shortRevision } from '../text/text-context.ts';
import { changeDetails, driftDetails, errorLines } from './cluster-details.ts';
import { codeSpan, tableHead, tableRow } from './code-span.ts';

const titles = { Plan: 'Plan for', SyncReport: 'Sync of', DriftReport: 'Drift of' } as const;

const verdictWords: Readonly<Record<ClusterVerdict, string>> = {
  inSync: '✅ in sync',
  outOfSync: '🟡 differs',
  held: '✋ held',
  failed: '❌ failed',
  unreachable: '⚫ unreachable',
  unauthorized: '⚫ refuses our credentials',
  unknown: '⚫ not tried yet',
};

/** GitHub refuses a comment of more than 65,536 characters; the head and the last lines need some of them. */
const detailsLimit = 48_000;
const rowLimit = 100;

/** A report for a pull request: a summary table, and folded details for each cluster that has any. */
export function renderMarkdown(unsorted: Report, options: Pick<RenderOptions, 'settingsPath'>): string {
  const report = sortReport(unsorted);
  const { fleet, revision, generatedAt } = report.metadata;
  const when = formatFullTime(generatedAt, { now: generatedAt, timeZone: 'UTC' });
  const lines = [
    `### ${titles[report.kind]} ${codeSpan(fleet)} at ${codeSpan(shortRevision(revision))}`,
    '',
    summaryText(report),
    '',
    ...(report.clusters.length === 0 ? [] : [...summaryTable(report), '']),
    ...(report.errors.length === 0 ? [] : [...errorLines(report.errors), '']),
    ...details(report, options.settingsPath),
    `<sub>${when}</sub>`,
  ];
  return `${lines.join('\n')}\n`;
}

function summaryText(report: Report): string {
  if (report.clusters.length === 0) return 'No cluster was looked at.';
  return report.kind === 'DriftReport' ? driftSummaryText(report) : changeSummaryText(report);
}

function summaryTable(report: Report): string[] {
  return report.kind === 'DriftReport' ? driftTable(report) : changeTable(report);
}

function changeTable(report: ChangeReport): string[] {
  const rows = report.clusters.map((cluster) => {
    const verdict = verdictOf(cluster, report.kind);
    const {
      create,
      configure,
      delete: deleted,
      held,
      pending,
      failed,
      unchanged,
    } = countChanges(cluster.changes);
    const numbers = [create, configure, deleted, held, pending, failed, unchanged];
    return { verdict, row: tableRow([codeSpan(cluster.name), verdictWords[verdict], ...numbers]) };
  });
  const titles = [
    'Cluster',
    'State',
    'Create',
    'Configure',
    'Delete',
    'Held',
    'Pending',
    'Failed',
    'Unchanged',
  ];
  return [...tableHead(titles), ...worthShowing(rows)];
}

function driftTable(report: DriftReport): string[] {
  const rows = report.clusters.map((cluster) => {
    const verdict = driftVerdictOf(cluster);
    const { drifted, corrected } = countDrift(cluster);
    const numbers = [cluster.objectCount, drifted, corrected];
    return { verdict, row: tableRow([codeSpan(cluster.name), verdictWords[verdict], ...numbers]) };
  });
  return [...tableHead(['Cluster', 'State', 'Objects', 'Drifted', 'Corrected']), ...worthShowing(rows)];
}

/** All rows of a small fleet; of a large one those that are not in sync, as far as they fit. */
function worthShowing(rows: readonly { readonly verdict: ClusterVerdict; readonly row: string }[]): string[] {
  if (rows.length <= rowLimit) return rows.map(({ row }) => row);
  const shown = rows.filter(({ verdict }) => verdict !== 'inSync').slice(0, rowLimit);
  return [
    ...shown.map(({ row }) => row),
    '',
    `${rows.length - shown.length} more; \`-o json\` has them all.`,
  ];
}

/** The details of as many clusters as fit, in order; a section is never cut in the middle. */
function details(report: Report, settingsPath: string | undefined): string[] {
  const sections =
    report.kind === 'DriftReport'
      ? report.clusters.map(driftDetails)
      : report.clusters.map((cluster) => changeDetails(cluster, settingsPath));
  const shown: string[] = [];
  let length = 0;
  let leftOut = 0;
  for (const section of sections) {
    const size = section.join('\n').length + 1;
    if (length + size > detailsLimit) {
      leftOut += 1;
      continue;
    }
    length += size;
    shown.push(...section);
  }
  return leftOut === 0
    ? shown
    : [...shown, `Details left out to fit: ${plural(leftOut, 'cluster')}; \`-o json\` has them all.`, ''];
}
