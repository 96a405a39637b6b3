import type { Report } from '../../model/report.ts';

import type { RenderOptions } from '../format.ts';
import { sortReport } from '../sort-report.ts';
import { driftVerdictOf, verdictOf } from '../summarise.ts';
import { changeClusterRows, changeSummaryText } from './change-text.ts';
import { driftClusterRows, driftSummaryText } from './drift-text.ts';
import { errorListRows } from './error-rows.ts';
import { span, toSpans } from './styled-text.ts';
import { layOut, type Row } from './table.ts';
import { type TextContext, titleRow } from './text-context.ts';

const titles = { Plan: 'Plan for', SyncReport: 'Sync of', DriftReport: 'Drift of' } as const;

/** A report for a terminal: a title, what concerns the whole fleet, a block for each cluster, and one summary line. */
export function renderText(unsorted: Report, options: RenderOptions): string {
  const report = sortReport(unsorted);
  const context: TextContext = {
    color: options.color,
    width: options.width,
    verbose: options.verbose ?? false,
    frame: { now: report.metadata.generatedAt, timeZone: options.timeZone ?? 'UTC' },
    settingsPath: options.settingsPath,
  };
  const blocks = [
    [titleRow(titles[report.kind], report.metadata, context)],
    ...(report.errors.length === 0 ? [] : [errorListRows(report.errors, 0)]),
    ...clusterBlocks(report, context),
    [summaryRow(report)],
  ];
  return `${blocks.map((rows) => layOut(rows, options).join('\n')).join('\n\n')}\n`;
}

/** One block a cluster; neighbours that need one line each share a block, so that a calm fleet is a short list. */
function clusterBlocks(report: Report, context: TextContext): Row[][] {
  const each =
    report.kind === 'DriftReport'
      ? report.clusters.map((cluster) => driftClusterRows(cluster, context))
      : report.clusters.map((cluster) => changeClusterRows(cluster, report.kind, context));
  const blocks: Row[][] = [];
  for (const [head, ...details] of each) {
    const last = blocks.at(-1);
    if (head === undefined) continue;
    if (details.length > 0) blocks.push([inOneCell(head), ...details]);
    else if (last?.every((row) => row.indent === 0) === true) last.push(head);
    else blocks.push([head]);
  }
  return blocks;
}

/** The head of a long block stands for itself: its columns are not those of the objects below. */
function inOneCell(row: Row): Row {
  const [name = '', ...rest] = row.cells;
  return {
    indent: row.indent,
    cells: [[...toSpans(name), ...rest.flatMap((cell) => ['  ', ...toSpans(cell)])]],
  };
}

function summaryRow(report: Report): Row {
  if (report.clusters.length === 0) return { indent: 0, cells: [span(emptyText(report), 'bold')] };
  const text = report.kind === 'DriftReport' ? driftSummaryText(report) : changeSummaryText(report);
  const calm = verdicts(report).every((verdict) => verdict === 'inSync') && report.errors.length === 0;
  return { indent: 0, cells: [span(text, calm ? 'green' : 'bold')] };
}

function emptyText(report: Report): string {
  if (report.errors.length > 0) return 'No cluster was looked at.';
  return 'No cluster: none is registered, or none has the names asked for.';
}

function verdicts(report: Report) {
  if (report.kind === 'DriftReport') return report.clusters.map(driftVerdictOf);
  return report.clusters.map((cluster) => verdictOf(cluster, report.kind));
}
