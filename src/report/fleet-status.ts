import type { ClusterStatus, FleetStatus } from '../model/status.ts';

import { sortedBy } from './format.ts';
import { formatAge } from './format-time.ts';
import { healthCounts, unwellLeft, unwellText } from './health-text.ts';
import { settingsOption } from './approve-command.ts';
import { sortErrors } from './sort-report.ts';
import { errorListRows } from './text/error-rows.ts';
import { span, type Span, type SpanText } from './text/styled-text.ts';
import { layOut, type Row } from './text/table.ts';
import { shortRevision } from './text/text-context.ts';
import { errorJson, reportApiVersion } from './to-json.ts';

/** A fleet at a glance: what was fetched, a line for each cluster and each generator, what is wrong below. */
export function renderStatus(
  status: FleetStatus,
  options: { readonly color: boolean; readonly width: number; readonly settingsPath?: string },
): string {
  const hints = hintsOf(status, options.settingsPath).map((hint) => ({ indent: 0, cells: [hint] }));
  const errors = errorListRows(sortErrors(status.errors ?? []), 0);
  const tables = [headRows(status), errors, clusterRows(status), generatorRows(status), hints].filter(
    (rows) => rows.length > 0,
  );
  return `${tables.map((rows) => layOut(rows, options).join('\n')).join('\n\n')}\n`;
}

/** What a reader can do next, in sentences. */
function hintsOf({ clusters }: FleetStatus, settingsPath: string | undefined): string[] {
  const held = clusters.reduce((sum, cluster) => sum + cluster.held, 0);
  if (held === 0) return [];
  return [
    `${held} held: run fleetwright plan${settingsOption(settingsPath)} to see ${held === 1 ? 'it' : 'them'}`,
  ];
}

/** The stable shape of a status, sorted, what is not known left out. */
export function statusJson(status: FleetStatus, options: { readonly settingsPath?: string } = {}): object {
  const hints = hintsOf(status, options.settingsPath);
  const { fleet, revision, generatedAt, lastFetch } = status;
  return {
    apiVersion: reportApiVersion,
    kind: 'FleetStatus',
    metadata: { fleet, revision, generatedAt },
    ...(lastFetch && {
      lastFetch: { at: lastFetch.at, ...(lastFetch.error && { error: errorJson(lastFetch.error) }) },
    }),
    clusters: sortedBy(status.clusters, (cluster) => cluster.name),
    generators: sortedBy(status.generators, (generator) => generator.name),
    ...(status.errors !== undefined && { errors: sortErrors(status.errors).map(errorJson) }),
    ...(hints.length > 0 && { hints }),
  };
}

function headRows(status: FleetStatus): Row[] {
  const { lastFetch } = status;
  const error = lastFetch?.error;
  const head = [span(status.fleet, 'bold'), ` at ${shortRevision(status.revision)}, ${fetchedText(status)}`];
  return [
    { indent: 0, cells: [head] },
    ...(error === undefined
      ? []
      : [{ indent: 2, cells: [span(`! ${error.code}: ${error.message}`, 'red')] }]),
  ];
}

function fetchedText(status: FleetStatus): string {
  const { lastFetch } = status;
  if (lastFetch === undefined) return 'never fetched';
  return lastFetch.error === undefined ? `fetched ${ageAt(status, lastFetch.at)}` : 'could not be fetched';
}

function clusterRows(status: FleetStatus): Row[] {
  if (status.clusters.length === 0) return [{ indent: 0, cells: ['No cluster is registered.'] }];
  const titles = ['CLUSTER', 'STATE', 'OBJECTS', 'DRIFTED', 'HELD', 'FAILED', 'REVISION', 'SYNCED', 'SEEN'];
  return [
    { indent: 0, cells: titles.map((title) => span(title, 'dim')) },
    ...sortedBy(status.clusters, (cluster) => cluster.name).flatMap((cluster) => [
      { indent: 0, cells: clusterCells(cluster, status) },
      ...labelRows(cluster),
      ...healthRows(cluster),
      ...(cluster.message === undefined ? [] : [{ indent: 2, cells: [span(`! ${cluster.message}`, 'red')] }]),
    ]),
  ];
}

function clusterCells(cluster: ClusterStatus, status: FleetStatus): SpanText[] {
  return [
    span(cluster.name, 'bold'),
    span(cluster.state, cluster.state === 'reachable' ? 'green' : 'red'),
    String(cluster.objects),
    alarm(cluster.drifted),
    alarm(cluster.held),
    alarm(cluster.failed),
    cluster.revision === undefined || cluster.revision === '' ? '-' : shortRevision(cluster.revision),
    ageAt(status, cluster.lastSyncAt),
    ageAt(status, cluster.lastSeenAt),
  ];
}

/** Labels have no end, so they stand below the columns. */
function labelRows({ labels }: ClusterStatus): Row[] {
  const texts = sortedBy(Object.entries(labels), ([key]) => key).map(([key, value]) => `${key}=${value}`);
  return texts.length === 0 ? [] : [{ indent: 2, cells: [span(texts.join(','), 'dim')] }];
}

/** What is well is a number, what is not a line. */
function healthRows({ health }: ClusterStatus): Row[] {
  if (health === undefined) return [];
  const left = unwellLeft(health);
  const lines = health.unwell.map((object) =>
    span(unwellText(object), object.state === 'degraded' ? 'red' : 'yellow'),
  );
  return [
    { indent: 2, cells: [`health: ${healthCounts(health)}`] },
    ...lines.map((line) => ({ indent: 4, cells: [line] })),
    ...(left === 0 ? [] : [{ indent: 4, cells: [`and ${left} more that are not healthy`] }]),
  ];
}

function generatorRows(status: FleetStatus): Row[] {
  if (status.generators.length === 0) return [];
  return [
    { indent: 0, cells: ['GENERATOR', 'CLUSTERS', 'OBJECTS'].map((title) => span(title, 'dim')) },
    ...sortedBy(status.generators, (generator) => generator.name).map((generator) => ({
      indent: 0,
      cells: [span(generator.name, 'bold'), String(generator.clusters), String(generator.objects)],
    })),
  ];
}

function ageAt(status: FleetStatus, time: string | undefined): string {
  return time === undefined ? 'never' : formatAge(time, { now: status.generatedAt, timeZone: 'UTC' });
}

function alarm(count: number): Span | string {
  return count === 0 ? '0' : span(String(count), 'yellow');
}
