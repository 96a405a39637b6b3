import type { FleetReader } from '../../../src/engine/fleet-reader.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import type { ChangeReport, ClusterReport, DriftReport } from '../../../src/model/report.ts';
import type { ClusterStatus, FleetStatus } from '../../../src/model/status.ts';
import type { PageData } from '../../../src/server/page/page-data.ts';
import type { Logger } from '../../../src/telemetry/logger.ts';
import {
  cluster,
  driftCluster,
  goneOrigin,
  immutable,
  metadata,
  origin,
  ref,
  revision,
  unreachable,
  web,
} from '../report/sample-reports.ts';

export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
};

export function clusterStatus(name: string, more: Partial<ClusterStatus> = {}): ClusterStatus {
  return {
    name,
    state: 'reachable',
    labels: { env: 'production', region: 'cn-east' },
    lastSeenAt: '2026-11-30T14:02:11Z',
    lastSyncAt: '2026-11-30T14:00:00Z',
    revision,
    objects: 214,
    drifted: 0,
    held: 0,
    failed: 0,
    ...more,
  };
}

export function fleetStatus(
  clusters: readonly ClusterStatus[],
  more: Partial<FleetStatus> = {},
): FleetStatus {
  return {
    ...metadata,
    lastFetch: { at: '2026-11-30T14:02:10Z' },
    clusters,
    generators: [{ name: 'frontend', clusters: 2, objects: 12 }],
    ...more,
  };
}

/** A fleet in which everything happens at once. */
export function busyFleet(): PageData {
  return {
    status: fleetStatus([
      clusterStatus('beijing-prod', { labels: { env: 'production', region: 'cn-north' } }),
      clusterStatus('chengdu-edge', {
        state: 'unreachable',
        lastSeenAt: '2026-11-30T13:50:01Z',
        revision: '0a1b2c3d9d0e4f5a6b7c8d9e0f1a2b3c4d5e6f7a',
        labels: { env: 'edge', region: 'cn-west' },
        message: unreachable.message,
      }),
      clusterStatus('guangzhou-prod', { failed: 1, message: immutable.describe() }),
      clusterStatus('hangzhou-edge', { labels: { env: 'edge', maintenance: 'true' }, revision: 'older' }),
      clusterStatus('shanghai-prod', { drifted: 1 }),
      clusterStatus('shenzhen-prod', { held: 7 }),
    ]),
    sync: busySync(),
    drift: busyDrift(),
  };
}

function busySync(): ChangeReport {
  const reason = 'it would delete 7 of 30 objects, more than 20 percent';
  const held = Array.from({ length: 7 }, (_, index): ClusterReport['changes'][number] => ({
    action: 'held',
    ref: ref(`ConfigMap/old-${index}`, 'shop'),
    origin: goneOrigin,
    fields: [],
    reason,
    holdId: 'a1b2c3d4e5f6',
  }));
  const failed = {
    action: 'failed',
    ref: immutable.subject.ref!,
    origin: immutable.subject.origin!,
    fields: [],
    reason: 'FieldImmutable',
    error: immutable,
  } as const;
  const broken = new FleetError(
    'ManifestInvalid',
    'duplicated mapping key\n  12 | replicas: 3\n  13 | replicas: 4',
    {
      origin: { ...origin('apps/broken/deployment.yaml', 13, 'broken'), column: 3 },
    },
  );
  return {
    kind: 'SyncReport',
    metadata,
    errors: [],
    clusters: [
      cluster('beijing-prod', { errors: [broken] }),
      cluster('chengdu-edge', { state: 'unreachable', errors: [unreachable, broken] }),
      cluster('guangzhou-prod', { errors: [immutable], changes: [failed] }),
      cluster('shenzhen-prod', { changes: held }),
    ],
  };
}

function busyDrift(): DriftReport {
  return {
    kind: 'DriftReport',
    metadata,
    errors: [],
    clusters: [
      driftCluster('beijing-prod', {
        objects: [
          {
            ref: ref('Service/checkout', 'shop'),
            origin: origin('apps/checkout/service.yaml'),
            kind: 'missing',
            fields: [],
            action: 'corrected',
            detectedAt: '2026-11-30T11:20:00Z',
            correctedAt: '2026-11-30T11:20:00Z',
          },
        ],
      }),
      driftCluster('shanghai-prod', {
        objects: [
          {
            ref: web,
            origin: origin('apps/frontend/deployment.yaml', 12),
            kind: 'changed',
            fields: [
              {
                path: '.spec.replicas',
                desired: 2,
                live: 5,
                changedBy: [{ manager: 'kubectl', operation: 'Update', subresource: 'scale' }],
              },
              {
                path: '.spec.template.spec.containers[name=web].image',
                desired: 'registry.example/web:1.28',
                live: 'registry.example/web:1.27',
                changedBy: [{ manager: 'kubectl-edit', operation: 'Update', time: '2026-11-30T14:02:10Z' }],
              },
            ],
            action: 'corrected',
            detectedAt: '2026-11-30T14:02:10Z',
            correctedAt: '2026-11-30T14:02:11Z',
          },
          {
            ref: ref('ConfigMap/settings', 'shop'),
            origin: origin('apps/frontend/settings.yaml', 7),
            kind: 'changed',
            fields: [
              {
                path: '.data.mode',
                desired: 'fast',
                live: 'slow',
                changedBy: [{ manager: 'kubectl-edit', operation: 'Update', time: '2026-11-30T14:01:10Z' }],
              },
            ],
            action: 'reported',
            detectedAt: '2026-11-30T14:01:10Z',
          },
        ],
      }),
    ],
  };
}

/** A fleet before anything was read. */
export function newFleet(): PageData {
  const nothing = { metadata: { ...metadata, revision: '' }, clusters: [], errors: [] };
  const { lastFetch: _, ...status } = fleetStatus([], { revision: '', generators: [] });
  return {
    status,
    sync: { kind: 'SyncReport', ...nothing },
    drift: { kind: 'DriftReport', ...nothing },
  };
}

/** What a server reads, with a bell that tells of an update. */
export function readerOf(
  data: PageData,
): FleetReader & { data: PageData; update(): void; listeners: number } {
  const listeners = new Set<() => void>();
  return {
    data,
    status() {
      return this.data.status;
    },
    sync() {
      return this.data.sync;
    },
    drift() {
      return this.data.drift;
    },
    onUpdate(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update() {
      for (const listener of listeners) listener();
    },
    get listeners() {
      return listeners.size;
    },
  };
}
