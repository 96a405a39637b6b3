import type { Change, Drift } from '../../model/change.ts';
import type { FieldDifference, FieldManager } from '../../model/field.ts';
import type { FleetError } from '../../model/fleet-error.ts';
import { formatRef } from '../../model/object-ref.ts';
import type { ClusterDriftReport, ClusterReport } from '../../model/report.ts';

import { approveCommand } from '../approve-command.ts';
import { driftEntries, type DriftEntry, isOurLabel } from '../drift-entries.ts';
import { formatPair } from '../format-value.ts';
import { originText } from '../text/text-context.ts';
import { managerName } from '../manager-name.ts';
import { remedyOf } from '../remedy.ts';
import { codeSpan, htmlCode, tableHead, tableRow } from './code-span.ts';

const valueWidth = 60;

/** More objects than this nobody reads in a pull request. */
const objectLimit = 100;

/** A folded section with every change and error of a cluster; no lines when there is nothing to unfold. */
export function changeDetails(cluster: ClusterReport, settingsPath: string | undefined): string[] {
  const changes = cluster.changes.filter((change) => change.action !== 'unchanged');
  const rows = changes
    .slice(0, objectLimit)
    .flatMap((change) => objectRows(change.action, change, change.reason ?? ''));
  const holds = new Set(changes.flatMap((change) => (change.action === 'held' ? [change.holdId] : [])));
  return folded(cluster.name, [
    ...table(['', 'Object', 'Origin', 'Field', 'Cluster → Git', 'Changed by'], rows),
    ...moreObjects(changes.length),
    ...[...holds].map(
      (hold) => `To let what is held through: ${codeSpan(approveCommand(hold, settingsPath))}\n`,
    ),
    ...cluster.warnings.map((warning) => `- note: ${codeSpan(warning)}`),
    ...errorLines(cluster.errors),
  ]);
}

/** A folded section with every drifted object and error of a cluster; no lines when there is nothing to unfold. */
export function driftDetails(cluster: ClusterDriftReport): string[] {
  const entries = driftEntries(cluster.objects);
  const rows = entries
    .slice(0, objectLimit)
    .flatMap((entry) => objectRows(driftWords(entry), entry.drift, entry.drift.reason ?? ''));
  return folded(cluster.name, [
    ...table(['', 'Object', 'Origin', 'Field', 'Cluster → Git', 'Changed by'], rows),
    ...moreObjects(entries.length),
    ...(cluster.warnings ?? []).map((warning) => `- note: ${codeSpan(warning)}`),
    ...errorLines(cluster.errors),
  ]);
}

/** Errors as a list: code, place, object, message and what to do. */
export function errorLines(errors: readonly FleetError[]): string[] {
  return errors.map((error) => {
    const { origin, ref } = error.subject;
    const about = [origin === undefined ? '' : originText(origin), ref === undefined ? '' : formatRef(ref)];
    const subject = about.filter((part) => part !== '').map((part) => ` ${codeSpan(part)}`);
    const remedy = remedyOf(error);
    const after = remedy === undefined ? '' : `<br>${remedy}`;
    return `- **${error.code}**${subject.join('')}: ${codeSpan(error.message)}${after}`;
  });
}

function driftWords({ drift, corrections }: DriftEntry): string {
  const action = drift.action === 'corrected' && corrections > 1 ? `corrected ${corrections}×` : drift.action;
  return drift.kind === 'changed' ? action : `${drift.kind}, ${action}`;
}

/** The object with its first field on one row, its other fields on rows of their own below. */
function objectRows(action: string, item: Change | Drift, reason: string): string[] {
  const head = [action, codeSpan(formatRef(item.ref)), codeSpan(originText(item.origin))];
  const [first, ...others] = item.fields;
  if (first === undefined) {
    return [tableRow([...head, codeSpan(reason), '', writerCell(item.changedBy ?? [])])];
  }
  return [
    tableRow([...head, ...fieldCells(first, item)]),
    ...others.map((field) => tableRow(['', '', '', ...fieldCells(field, item)])),
    ...(reason === '' ? [] : [tableRow(['', '', '', codeSpan(reason), '', ''])]),
  ];
}

function fieldCells(field: FieldDifference, item: Change | Drift): string[] {
  const [live, desired] = formatPair(field.live, field.desired, valueWidth);
  const who = writerCell(field.changedBy);
  if ('kind' in item && isOurLabel(field, item)) return ['our label was removed', '', who];
  const cell = (value: string | undefined): string => (value === undefined ? '*unset*' : codeSpan(value));
  return [codeSpan(field.path), `${cell(live)} → ${cell(desired)}`, who];
}

function writerCell(managers: readonly FieldManager[]): string {
  return managers
    .map((manager) => {
      const time = manager.time === undefined ? '' : ` at ${manager.time}`;
      return codeSpan(`${managerName(manager)}${time}`);
    })
    .join(', ');
}

function moreObjects(count: number): string[] {
  return count <= objectLimit ? [] : [`${count - objectLimit} more; \`-o json\` has them all.`, ''];
}

function table(titles: readonly string[], rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [...tableHead(titles), ...rows, ''];
}

function folded(name: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [`<details><summary>${htmlCode(name)}</summary>`, '', ...lines, '', '</details>', ''];
}
