import type { ClusterStatus, FleetStatus } from '../model/status.ts';

import { sortedBy } from './format.ts';
import { formatAge } from './format-time.ts';
import { span, type Span, type SpanText } from './text/styled-text.ts';
import { layOut, type Row } from './text/table.ts';
import { shortRevision } from './text/text-context.ts';
import { errorJson, reportApiVersion } from './to-json.ts';

/** A fleet at a glance: what was fetched, a line for each cluster and each generator, what is wrong below. */
export function renderStatus(
  status: FleetStatus,
  options: { readonly color: boolean; readonly width: number },
): string {
  const tables = [headRows(status), clusterRows(status), generatorRows(status)].filter(
    (rows) => rows.length > 0,
  );
  return `${tables.map((rows) => layOut(rows, options).join('\n')).join('\n\n')}\n`;
}

/** The stable shape of a status, sorted, what is not known left out. */
export function statusJson(status: FleetStatus): object {
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
  };
}

function headRows(status: FleetStatus): Row[] {
  const { lastFetch } = status;
  const fetched = lastFetch === undefined ? 'never fetched' : `fetched ${ageAt(status, lastFetch.at)}`;
  const head = [span(status.fleet, 'bold'), ` at ${shortRevision(status.revision)}, ${fetched}`];
  const error = lastFetch?.error;
  return [
    { indent: 0, cells: [head] },
    ...(error === undefined
      ? []
      : [{ indent: 2, cells: [span(`! ${error.code}: ${error.message}`, 'red')] }]),
  ];
}

function clusterRows(status: FleetStatus): Row[] {
  if (status.clusters.length === 0) return [{ indent: 0, cells: ['No cluster is registered.'] }];
  const titles = [
    'CLUSTER',
    'STATE',
    'OBJECTS',
    'DRIFTED',
    'HELD',
    'FAILED',
    'REVISION',
    'SYNCED',
    'SEEN',
    'LABELS',
  ];
  return [
    { indent: 0, cells: titles.map((title) => span(title, 'dim')) },
    ...sortedBy(status.clusters, (cluster) => cluster.name).flatMap((cluster) => [
      { indent: 0, cells: clusterCells(cluster, status) },
      ...(cluster.message === undefined ? [] : [{ indent: 2, cells: [span(`! ${cluster.message}`, 'red')] }]),
    ]),
  ];
}

function clusterCells(cluster: ClusterStatus, status: FleetStatus): SpanText[] {
  const labels = sortedBy(Object.entries(cluster.labels), ([key]) => key).map(
    ([key, value]) => `${key}=${value}`,
  );
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
    span(labels.length === 0 ? '-' : labels.join(','), 'dim'),
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
