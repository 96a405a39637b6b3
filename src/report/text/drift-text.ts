import type { Drift, DriftKind } from '../../model/change.ts';
import type { FieldDifference } from '../../model/field.ts';
import type { ClusterDriftReport, DriftReport } from '../../model/report.ts';

import { formatTime } from '../format-time.ts';
import { formatPair } from '../format-value.ts';
import { driftVerdictOf, isOpen, summarise } from '../summarise.ts';
import { errorListRows } from './error-rows.ts';
import { span, type Span } from './styled-text.ts';
import type { Row } from './table.ts';
import {
  awayText,
  changedByText,
  clusterNote,
  originText,
  plural,
  refSpans,
  type TextContext,
  valueWidth,
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
    ...cluster.objects.flatMap((drift) => driftRows(drift, context)),
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
  const drifted = cluster.objects.length;
  if (drifted > 0) {
    const style = cluster.objects.some(isOpen) ? 'yellow' : 'green';
    // Extra objects are not among those that Git wants: 'in 3 of 2' would be nonsense.
    const extra = cluster.objects.filter((drift) => drift.kind === 'extra').length;
    return span(`drift in ${drifted} of ${plural(cluster.objectCount + extra, 'object')}`, style);
  }
  if (driftVerdictOf(cluster) === 'failed') return span(plural(cluster.errors.length, 'fault'), 'red');
  return span(`in sync, ${plural(cluster.objectCount, 'object')}`, 'green');
}

function driftRows(drift: Drift, context: TextContext): Row[] {
  const words = kinds[drift.kind] === '' ? '' : `${kinds[drift.kind]}, `;
  const reason = drift.reason === undefined ? '' : `: ${drift.reason}`;
  const status = `${words}${actionText(drift, context)}${reason}`;
  return [
    {
      indent: 2,
      cells: [
        [signs[drift.kind], ' ', ...refSpans(drift.ref)],
        span(originText(drift.origin), 'cyan'),
        span(status, drift.action === 'corrected' ? 'green' : isOpen(drift) ? 'yellow' : 'dim'),
      ],
    },
    ...drift.fields.map((field) => fieldRow(field, context)),
  ];
}

function actionText(drift: Drift, context: TextContext): string {
  switch (drift.action) {
    case 'corrected':
      return drift.correctedAt === undefined
        ? 'corrected'
        : `corrected ${formatTime(drift.correctedAt, context.frame)}`;
    case 'reported':
      return `left as it is since ${formatTime(drift.detectedAt, context.frame)}`;
    case 'ignored':
      return 'ignored';
    case 'pending':
      return `to be corrected, seen ${formatTime(drift.detectedAt, context.frame)}`;
  }
}

function fieldRow(field: FieldDifference, context: TextContext): Row {
  const [desired, live] = formatPair(field.desired, field.live, valueWidth(context));
  const who = changedByText(field.changedBy, context);
  return {
    indent: 6,
    cells: [
      field.path,
      [
        ...(desired === undefined ? ['not in Git'] : [span(desired, 'green'), ' in Git']),
        ', ',
        ...(live === undefined ? ['not in the cluster'] : [span(live, 'red'), ' in the cluster']),
      ],
      span(who === '' ? 'by whom is not recorded' : who, 'dim'),
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
  const drift =
    summary.drifted === 0
      ? `No drift in ${plural(summary.objects, 'object')}.`
      : `${plural(summary.drifted, 'object')} drifted: ${summary.missing} missing, ${summary.extra} extra; ${summary.corrected} corrected.`;
  return `${plural(summary.clusters, 'cluster')}: ${clusters.join(', ')}. ${drift}`;
}
