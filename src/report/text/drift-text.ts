import type { DriftKind } from '../../model/change.ts';
import type { FieldDifference } from '../../model/field.ts';
import type { ClusterDriftReport, DriftReport } from '../../model/report.ts';

import { formatTime } from '../format-time.ts';
import { formatPair } from '../format-value.ts';
import { countDrift, driftEntries, type DriftCounts, type DriftEntry, isOurLabel } from '../drift-entries.ts';
import { driftVerdictOf, isOpen, summarise } from '../summarise.ts';
import { errorListRows } from './error-rows.ts';
import { span, type Span } from './styled-text.ts';
import type { Row } from './table.ts';
import {
  awayText,
  changedByText,
  clusterNote,
  deletedByRows,
  originText,
  plural,
  refSpans,
  type TextContext,
  valueWidth,
  warningRows,
} from './text-context.ts';

/** Signs say how the cluster stands to Git: it has less, more, or other than Git wants. */
const signs: Readonly<Record<DriftKind, Span>> = {
  changed: span('~', 'yellow'),
  missing: span('-', 'red'),
  extra: span('+', 'green'),
  unlabelled: span('!', 'magenta'),
  conflict: span('!', 'red'),
};

const kinds: Readonly<Record<DriftKind, string>> = {
  changed: '',
  missing: 'missing',
  extra: 'not in Git',
  unlabelled: 'our label was removed',
  conflict: 'conflict',
};

/** The lines of one cluster of a DriftReport: one when nothing drifted, else every object and field. */
export function driftClusterRows(cluster: ClusterDriftReport, context: TextContext): Row[] {
  return [
    headRow(cluster, context),
    ...warningRows(cluster.warnings ?? []),
    ...driftEntries(cluster.objects).flatMap((entry) => driftRows(entry, context)),
    ...errorListRows(cluster.errors, 2),
  ];
}

function headRow(cluster: ClusterDriftReport, context: TextContext): Row {
  const name = span(cluster.name, 'bold');
  if (cluster.state !== 'reachable') {
    return { indent: 0, cells: [name, span(awayText({ ...cluster, state: cluster.state }, context), 'red')] };
  }
  const note = clusterNote(cluster, context);
  return { indent: 0, cells: [name, [headline(cluster), ...(note === '' ? [] : ['  ', span(note, 'dim')])]] };
}

function headline(cluster: ClusterDriftReport): Span {
  const counts = countDrift(cluster);
  const besides = besidesText(counts);
  if (cluster.objects.some(isOpen)) {
    // Extra objects are not among those that Git wants: 'in 3 of 2' would be nonsense.
    const all = plural(cluster.objectCount + counts.extra, 'object');
    return span(`drift in ${counts.drifted} of ${all}${besides}`, 'yellow');
  }
  if (driftVerdictOf(cluster) === 'failed') return span(plural(cluster.errors.length, 'fault'), 'red');
  return span(`in sync, ${plural(cluster.objectCount, 'object')}${besides}`, 'green');
}

/** '; 1 ignored; 2 corrected in the last day', without what is zero. */
function besidesText({ ignored, corrected }: Pick<DriftCounts, 'ignored' | 'corrected'>): string {
  return [
    ignored > 0 ? `; ${ignored} ignored` : '',
    corrected > 0 ? `; ${corrected} corrected in the last day` : '',
  ].join('');
}

function driftRows(entry: DriftEntry, context: TextContext): Row[] {
  const { drift } = entry;
  const isSaidBelow = drift.fields.some((field) => isOurLabel(field, drift));
  const words = kinds[drift.kind] === '' || isSaidBelow ? '' : `${kinds[drift.kind]}, `;
  const reason = drift.reason === undefined ? '' : `: ${drift.reason}`;
  const status = `${words}${actionText(entry, context)}${reason}`;
  return [
    {
      indent: 2,
      cells: [
        [signs[drift.kind], ' ', ...refSpans(drift.ref)],
        span(originText(drift.origin), 'cyan'),
        span(status, drift.action === 'corrected' ? 'green' : isOpen(drift) ? 'yellow' : 'dim'),
      ],
    },
    ...deletedByRows(drift, context),
    ...drift.fields.map((field) =>
      isOurLabel(field, drift) ? labelRow(field, context) : fieldRow(field, context),
    ),
  ];
}

function actionText({ drift, corrections, lastCorrectedAt }: DriftEntry, context: TextContext): string {
  const seen = formatTime(drift.detectedAt, context.frame);
  const last = lastCorrectedAt === undefined ? '' : formatTime(lastCorrectedAt, context.frame);
  const corrected = correctedText(corrections, last);
  const before = corrections === 0 ? '' : `; ${corrected} before`;
  switch (drift.action) {
    case 'corrected':
      return corrected;
    case 'reported':
      return `left as it is since ${seen}${before}`;
    case 'ignored':
      return `ignored${before}`;
    case 'pending':
      return `to be corrected, seen ${seen}${before}`;
  }
}

/** 'corrected 14:02:11', or 'corrected 2×, last 14:02:11' */
export function correctedText(corrections: number, last: string): string {
  if (corrections > 1) return `corrected ${corrections}×${last === '' ? '' : `, last ${last}`}`;
  return last === '' ? 'corrected' : `corrected ${last}`;
}

/** Who took our label off; what it held would tell nobody anything. */
function labelRow(field: FieldDifference, context: TextContext): Row {
  return { indent: 6, cells: [kinds.unlabelled, whoSpan(field, context)] };
}

function whoSpan(field: FieldDifference, context: TextContext): Span {
  const who = changedByText(field.changedBy, context);
  return span(who === '' ? 'by whom is not recorded' : who, 'dim');
}

function fieldRow(field: FieldDifference, context: TextContext): Row {
  const [desired, live] = formatPair(field.desired, field.live, valueWidth(context));
  return {
    indent: 6,
    cells: [
      field.path,
      [
        ...(desired === undefined ? ['not in Git'] : [span(desired, 'green'), ' in Git']),
        ', ',
        ...(live === undefined ? ['not in the cluster'] : [span(live, 'red'), ' in the cluster']),
      ],
      whoSpan(field, context),
    ],
  };
}

/** The last line: how the fleet stands in one sentence or two. */
export function driftSummaryText(report: DriftReport): string {
  const summary = summarise(report);
  const states = [
    [summary.inSync, 'in sync'],
    [summary.outOfSync, 'drifted'],
    [summary.failed, 'failed'],
    [summary.unreachable, 'unreachable'],
    [summary.unauthorized, 'unauthorized'],
    [summary.unknown, 'not tried'],
  ] as const;
  const clusters = states.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const ignored = report.clusters.reduce((sum, cluster) => sum + countDrift(cluster).ignored, 0);
  const besides = besidesText({ ignored, corrected: summary.corrected });
  const drift =
    summary.drifted === ignored
      ? `No drift in ${plural(summary.objects, 'object')}${besides}.`
      : `Drift in ${plural(summary.drifted, 'object')}: ${summary.missing} missing, ${summary.extra} extra${besides}.`;
  return `${plural(summary.clusters, 'cluster')}: ${clusters.join(', ')}. ${drift}`;
}
