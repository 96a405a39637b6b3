import type { ClusterState } from '../../model/report.ts';
import type { FieldManager } from '../../model/field.ts';
import type { ObjectRef } from '../../model/object-ref.ts';
import { formatOrigin, type Origin } from '../../model/origin.ts';

import { formatAge, formatFullTime, formatTime, type TimeFrame } from '../format-time.ts';
import { managerName } from '../manager-name.ts';
import type { Row } from './table.ts';
import { span, type Span } from './styled-text.ts';

/** What every part of a text report needs to know. */
export interface TextContext {
  readonly color: boolean;
  readonly width: number;
  readonly verbose: boolean;
  readonly frame: TimeFrame;
  readonly settingsPath?: string | undefined;
}

/** How many characters of a value are shown. */
export function valueWidth(context: TextContext): number {
  return context.verbose
    ? Number.POSITIVE_INFINITY
    : Math.min(80, Math.max(16, Math.floor(context.width / 4)));
}

/** 'Drift of acme at 3f2c1ab, 2026-11-30 14:02:13 UTC' */
export function titleRow(
  what: string,
  metadata: { fleet: string; revision: string },
  context: TextContext,
): Row {
  const when = formatFullTime(context.frame.now, context.frame);
  return {
    indent: 0,
    cells: [[what, ' ', span(metadata.fleet, 'bold'), ` at ${shortRevision(metadata.revision)}, ${when}`]],
  };
}

/** The first 7 characters of a commit id; other revisions, such as 'working-copy', as they are. */
export function shortRevision(revision: string): string {
  if (revision === '') return 'no revision yet';
  return /^[0-9a-f]{40,64}$/.test(revision) ? revision.slice(0, 7) : revision;
}

/** 'Deployment/web in shop' with the name standing out. */
export function refSpans(ref: ObjectRef): Span[] {
  const where = ref.namespace === '' ? [] : [span(` in ${ref.namespace}`, 'dim')];
  return [{ text: `${ref.kind}/` }, span(ref.name, 'bold'), ...where];
}

/** 'apps/web.yaml:12', or the generator alone for an object that Git no longer has. */
export function originText(origin: Origin): string {
  if (origin.file !== '') return formatOrigin(origin);
  if (origin.generator === '') return '';
  return origin.generator.includes('/') ? origin.generator : `generator ${origin.generator}`;
}

/** 'kubectl edit (kubectl-edit), 14:02:10 (3s ago); k9s' */
export function changedByText(managers: readonly FieldManager[], context: TextContext): string {
  return managers
    .map((manager) => {
      const name = managerName(manager);
      if (manager.time === undefined) return name;
      return `${name}, ${formatTime(manager.time, context.frame)} (${formatAge(manager.time, context.frame)})`;
    })
    .join('; ');
}

/** What a person should know of a cluster, a row each. */
export function warningRows(warnings: readonly string[]): Row[] {
  return warnings.map((warning) => ({ indent: 2, cells: [span(`note: ${warning}`, 'dim')] }));
}

/** Who deleted the object, on a row of its own; none where that is not known. */
export function deletedByRows(
  { changedBy = [] }: { readonly changedBy?: readonly FieldManager[] },
  context: TextContext,
): Row[] {
  if (changedBy.length === 0) return [];
  return [{ indent: 6, cells: ['deleted by', span(changedByText(changedBy, context), 'dim')] }];
}

/** The start of a cluster's line when it could not be read: 'unreachable, last seen 12m ago (13:50:01)'. */
export function awayText(
  cluster: { state: Exclude<ClusterState, 'reachable'>; lastSeenAt?: string },
  context: TextContext,
): string {
  const words = {
    unreachable: 'unreachable',
    unauthorized: 'refuses our credentials',
    unknown: 'not tried yet',
  };
  const { lastSeenAt } = cluster;
  if (lastSeenAt === undefined) return `${words[cluster.state]}, never seen`;
  return `${words[cluster.state]}, last seen ${formatAge(lastSeenAt, context.frame)} (${formatTime(lastSeenAt, context.frame)})`;
}

/** '(revision 3f2c1ab, seen 2s ago)', or '' when neither is known. */
export function clusterNote(
  cluster: { revision?: string; lastSeenAt?: string },
  context: TextContext,
): string {
  const parts = [
    ...(cluster.revision === undefined || cluster.revision === ''
      ? []
      : [`revision ${shortRevision(cluster.revision)}`]),
    ...(cluster.lastSeenAt === undefined ? [] : [`seen ${formatAge(cluster.lastSeenAt, context.frame)}`]),
  ];
  return parts.length === 0 ? '' : `(${parts.join(', ')})`;
}

/** '1 object', '2 objects' */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
