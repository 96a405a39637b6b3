import type { Change, Drift } from '../model/change.ts';
import type { FieldDifference, FieldManager } from '../model/field.ts';
import type { FleetError } from '../model/fleet-error.ts';
import type { ObjectRef } from '../model/object-ref.ts';
import type { Origin } from '../model/origin.ts';
import type { ClusterDriftReport, ClusterReport, Report } from '../model/report.ts';

import type {
  ChangeJson,
  ChangeReportJson,
  DriftJson,
  DriftReportJson,
  ErrorJson,
  FieldJson,
  OriginJson,
  ReportJson,
} from './report-schema.ts';
import { sortReport } from './sort-report.ts';
import { summarise } from './summarise.ts';

export const reportApiVersion = 'fleetwright.dev/v1alpha1';

/**
 * The stable, versioned shape of a report: sorted, its keys in a fixed order, what is not known left out.
 * schemas/plan.json, sync-report.json and drift-report.json describe it.
 */
export function toJson(report: Report): ReportJson {
  const { fleet, revision, generatedAt } = report.metadata;
  const metadata = { fleet, revision, generatedAt };
  if (report.kind === 'DriftReport') {
    const sorted = sortReport(report);
    return {
      apiVersion: reportApiVersion,
      kind: sorted.kind,
      metadata,
      summary: summarise(sorted),
      clusters: sorted.clusters.map(driftClusterJson),
      errors: sorted.errors.map(errorJson),
    };
  }
  const sorted = sortReport(report);
  return {
    apiVersion: reportApiVersion,
    kind: sorted.kind,
    metadata,
    summary: summarise(sorted),
    clusters: sorted.clusters.map(clusterJson),
    errors: sorted.errors.map(errorJson),
  };
}

/** The stable shape of an error; its cause and stack are for the log alone. */
export function errorJson(error: FleetError): ErrorJson {
  const { ref, origin } = error.subject;
  return {
    code: error.code,
    message: error.message,
    ...(ref && { ref: refJson(ref) }),
    ...(origin && { origin: originJson(origin) }),
    retry: error.retry,
  };
}

function clusterJson(cluster: ClusterReport): ChangeReportJson['clusters'][number] {
  return {
    ...clusterHead(cluster),
    labels: { ...cluster.labels },
    changes: cluster.changes.map(changeJson),
    errors: cluster.errors.map(errorJson),
    warnings: [...cluster.warnings],
  };
}

function driftClusterJson(cluster: ClusterDriftReport): DriftReportJson['clusters'][number] {
  return {
    ...clusterHead(cluster),
    objectCount: cluster.objectCount,
    objects: cluster.objects.map(driftJson),
    errors: cluster.errors.map(errorJson),
    ...(cluster.warnings !== undefined && { warnings: [...cluster.warnings] }),
  };
}

function clusterHead(cluster: ClusterReport | ClusterDriftReport) {
  return {
    name: cluster.name,
    state: cluster.state,
    ...(cluster.lastSeenAt !== undefined && { lastSeenAt: cluster.lastSeenAt }),
    ...(cluster.revision !== undefined && { revision: cluster.revision }),
  };
}

function changeJson(change: Change): ChangeJson {
  const base = {
    ref: refJson(change.ref),
    origin: originJson(change.origin),
    fields: change.fields.map(fieldJson),
    ...(change.changedBy && { changedBy: change.changedBy.map(managerJson) }),
  };
  switch (change.action) {
    case 'create':
    case 'configure':
    case 'unchanged':
      return {
        action: change.action,
        ...base,
        ...(change.reason !== undefined && { reason: change.reason }),
      };
    case 'delete':
    case 'skipped':
    case 'pending':
      return { action: change.action, ...base, reason: change.reason };
    case 'held':
      return { action: change.action, ...base, reason: change.reason, holdId: change.holdId };
    case 'failed':
      return { action: change.action, ...base, reason: change.reason, error: errorJson(change.error) };
  }
}

function driftJson(drift: Drift): DriftJson {
  return {
    ref: refJson(drift.ref),
    origin: originJson(drift.origin),
    kind: drift.kind,
    fields: drift.fields.map(fieldJson),
    ...(drift.changedBy && { changedBy: drift.changedBy.map(managerJson) }),
    action: drift.action,
    detectedAt: drift.detectedAt,
    ...(drift.correctedAt !== undefined && { correctedAt: drift.correctedAt }),
    ...(drift.reason !== undefined && { reason: drift.reason }),
  };
}

function refJson({ apiVersion, kind, namespace, name }: ObjectRef): ChangeJson['ref'] {
  return { apiVersion, kind, namespace, name };
}

function originJson({ generator, file, document, line, column }: Origin): OriginJson {
  return { generator, file, document, line, ...(column !== undefined && { column }) };
}

function fieldJson({ path, desired, live, changedBy }: FieldDifference): FieldJson {
  return {
    path,
    ...(desired !== undefined && { desired }),
    ...(live !== undefined && { live }),
    changedBy: changedBy.map(managerJson),
  };
}

function managerJson(by: FieldManager): FieldJson['changedBy'][number] {
  const { manager, operation, subresource, time, user, sourceIPs, target } = by;
  return {
    manager,
    operation,
    ...(subresource !== undefined && { subresource }),
    ...(time !== undefined && { time }),
    ...(user !== undefined && { user }),
    ...(sourceIPs !== undefined && { sourceIPs: [...sourceIPs] }),
    ...(target !== undefined && { target: refJson(target) }),
  };
}
