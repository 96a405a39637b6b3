import type { Change, ChangeAction } from '../../model/change.ts';
import type { FieldDifference } from '../../model/field.ts';
import type { ChangeReport, ClusterReport } from '../../model/report.ts';

import { approveCommand } from '../approve-command.ts';
import { formatPair } from '../format-value.ts';
import { readableTimes } from '../format-time.ts';
import { countChanges, summarise, verdictOf } from '../summarise.ts';
import { errorListRows, messageRows } from './error-rows.ts';
import { span, type Span, type Style } from './styled-text.ts';
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

const signs: Readonly<Record<ChangeAction, Span>> = {
  create: span('+', 'green'),
  configure: span('~', 'yellow'),
  delete: span('-', 'red'),
  held: span('!', 'magenta'),
  failed: span('!', 'red'),
  pending: span('…', 'cyan'),
  skipped: span('·', 'dim'),
  unchanged: span('=', 'dim'),
};

const actions = Object.keys(signs) as ChangeAction[];
const words: Readonly<Record<ChangeReport['kind'], Readonly<Record<ChangeAction, string>>>> = {
  Plan: {
    create: 'to create',
    configure: 'to configure',
    delete: 'to delete',
    held: 'held',
    failed: 'failed',
    pending: 'pending',
    skipped: 'skipped',
    unchanged: 'unchanged',
  },
  SyncReport: {
    create: 'created',
    configure: 'configured',
    delete: 'deleted',
    held: 'held',
    failed: 'failed',
    pending: 'pending',
    skipped: 'skipped',
    unchanged: 'unchanged',
  },
};

/** '2 to create, 1 held, 198 unchanged', without what is zero; '' when all is. */
export function countsText(
  counts: Readonly<Record<ChangeAction, number>>,
  kind: ChangeReport['kind'],
): string {
  return actions
    .filter((action) => counts[action] > 0)
    .map((action) => `${counts[action]} ${words[kind][action]}`)
    .join(', ');
}

/** The lines of one cluster of a Plan or SyncReport: one when it is in sync, else every change and error. */
export function changeClusterRows(
  cluster: ClusterReport,
  kind: ChangeReport['kind'],
  context: TextContext,
): Row[] {
  const shown = cluster.changes.filter((change) => context.verbose || change.action !== 'unchanged');
  return [
    headRow(cluster, kind, context),
    ...warningRows(cluster.warnings),
    ...shown
      .filter((change) => change.action !== 'held' && change.action !== 'pending')
      .flatMap((change) => changeRows(change, context)),
    ...pendingRows(shown, context),
    ...holdRows(shown, context),
    ...errorListRows(unshownErrors(cluster), 2),
  ];
}

function headRow(cluster: ClusterReport, kind: ChangeReport['kind'], context: TextContext): Row {
  const name = span(cluster.name, 'bold');
  const counts = countsText(countChanges(cluster.changes), kind);
  if (cluster.state !== 'reachable') {
    return { indent: 0, cells: [name, span(awayText({ ...cluster, state: cluster.state }, context), 'red')] };
  }
  const verdict = verdictOf(cluster, kind);
  const styles: Partial<Record<typeof verdict, Style>> = { failed: 'red', held: 'magenta', inSync: 'green' };
  const onlyUnchanged = cluster.changes.every((change) => change.action === 'unchanged');
  const inSync = onlyUnchanged
    ? `in sync, ${plural(cluster.changes.length, 'object')}`
    : `in sync: ${counts}`;
  const text =
    verdict === 'inSync' ? inSync : counts === '' ? plural(cluster.errors.length, 'fault') : counts;
  const note = clusterNote(cluster, context);
  return {
    indent: 0,
    cells: [
      name,
      [span(text, styles[verdict] ?? 'yellow'), ...(note === '' ? [] : ['  ', span(note, 'dim')])],
    ],
  };
}

function changeRows(change: Change, context: TextContext): Row[] {
  const origin = span(originText(change.origin), 'cyan');
  const status =
    change.action === 'failed' ? span(change.error.code, 'red') : span(statusText(change, context), 'dim');
  return [
    { indent: 2, cells: [[signs[change.action], ' ', ...refSpans(change.ref)], origin, status] },
    ...deletedByRows(change, context),
    ...change.fields.map((field) => fieldRow(field, context)),
    ...(change.action === 'failed' ? messageRows(change.error, 6) : []),
  ];
}

function statusText(change: Change, context: TextContext): string {
  const needsWord = change.action === 'pending' || change.action === 'skipped';
  const reason = readableTimes(change.reason ?? '', context.frame);
  if (!needsWord) return reason;
  return reason === '' ? change.action : `${change.action}: ${reason}`;
}

function fieldRow(field: FieldDifference, context: TextContext): Row {
  const [live, desired] = formatPair(field.live, field.desired, valueWidth(context));
  return {
    indent: 6,
    cells: [
      field.path,
      [span(live ?? '(unset)', 'red'), ' → ', span(desired ?? '(unset)', 'green')],
      span(changedByText(field.changedBy, context), 'dim'),
    ],
  };
}

/** Pending changes by reason: where many wait for the same, it stands once below them. */
function pendingRows(changes: readonly Change[], context: TextContext): Row[] {
  const pending = changes.filter((change) => change.action === 'pending');
  return [...Map.groupBy(pending, (change) => change.reason).values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined || members.length === 1)
      return members.flatMap((each) => changeRows(each, context));
    return [
      ...members.flatMap((change) => memberRows(change, context)),
      { indent: 6, cells: [span(statusText(first, context), 'dim')] },
    ];
  });
}

/** An object and its fields, whose reason stands below. */
function memberRows(change: Change, context: TextContext): Row[] {
  const origin = span(originText(change.origin), 'cyan');
  return [
    { indent: 2, cells: [[signs[change.action], ' ', ...refSpans(change.ref)], origin, ''] },
    ...change.fields.map((field) => fieldRow(field, context)),
  ];
}

/** Held changes by hold: one approval covers all of its objects, so reason and command stand once below them. */
function holdRows(changes: readonly Change[], context: TextContext): Row[] {
  const held = changes.filter((change) => change.action === 'held');
  const byHold = Map.groupBy(held, (change) => change.holdId);
  return [...byHold].flatMap(([holdId, members]) => [
    ...members.flatMap((change) => memberRows(change, context)),
    ...[...new Set(members.map((change) => change.reason))].map((reason) => ({
      indent: 6,
      cells: [span(`held: ${reason}`, 'magenta')],
    })),
    {
      indent: 6,
      cells: [['to let it through: ', span(approveCommand(holdId, context.settingsPath), 'bold')]],
    },
  ]);
}

/** The cluster's errors without those that a failed change shows already. */
function unshownErrors(cluster: ClusterReport) {
  const shown = cluster.changes.flatMap((change) => (change.action === 'failed' ? [change.error] : []));
  return cluster.errors.filter(
    (error) =>
      !shown.some(
        (other) => other === error || (other.code === error.code && other.message === error.message),
      ),
  );
}

/** The last line: how the fleet stands in one sentence or two. */
export function changeSummaryText(report: ChangeReport): string {
  const summary = summarise(report);
  const counts = countsText(summary.changes, report.kind);
  const states = [
    [summary.inSync, 'in sync'],
    [summary.outOfSync, report.kind === 'Plan' ? 'to change' : 'pending'],
    [summary.held, 'held'],
    [summary.failed, 'failed'],
    [summary.unreachable, 'unreachable'],
    [summary.unauthorized, 'unauthorized'],
    [summary.unknown, 'not tried'],
  ] as const;
  const clusters = states.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `${plural(summary.clusters, 'cluster')}: ${clusters.join(', ')}.${counts === '' ? '' : ` ${counts}.`}`;
}
