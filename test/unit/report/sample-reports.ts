import { FleetError } from '../../../src/model/fleet-error.ts';
import type { ObjectRef } from '../../../src/model/object-ref.ts';
import type { Origin } from '../../../src/model/origin.ts';
import type {
  ChangeReport,
  ClusterDriftReport,
  ClusterReport,
  DriftReport,
} from '../../../src/model/report.ts';

export const revision = '3f2c1ab9d0e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8';
export const metadata = { fleet: 'acme', revision, generatedAt: '2026-11-30T14:02:13Z' };

export function ref(kindAndName: string, namespace = '', apiVersion = 'v1'): ObjectRef {
  const [kind = '', name = ''] = kindAndName.split('/');
  return { apiVersion, kind, namespace, name };
}

export const web = ref('Deployment/web', 'shop', 'apps/v1');

export function origin(file: string, line = 1, generator = 'frontend'): Origin {
  return { generator, file, document: 1, line };
}

/** What an object has that Git no longer holds. */
export const goneOrigin: Origin = { generator: 'frontend', file: '', document: 0, line: 0 };

export function cluster(name: string, more: Partial<ClusterReport> = {}): ClusterReport {
  return {
    name,
    state: 'reachable',
    lastSeenAt: '2026-11-30T14:02:11Z',
    revision,
    labels: { env: 'production' },
    changes: [],
    errors: [],
    warnings: [],
    ...more,
  };
}

export function driftCluster(name: string, more: Partial<ClusterDriftReport> = {}): ClusterDriftReport {
  return {
    name,
    state: 'reachable',
    lastSeenAt: '2026-11-30T14:02:11Z',
    revision,
    objectCount: 214,
    objects: [],
    errors: [],
    ...more,
  };
}

export function unchanged(kindAndName: string): ClusterReport['changes'][number] {
  return {
    action: 'unchanged',
    ref: ref(kindAndName, 'shop'),
    origin: origin('apps/frontend/all.yaml'),
    fields: [],
  };
}

export const unreachable = new FleetError('ClusterUnreachable', 'connect ECONNREFUSED 127.0.0.1:6443', {
  cluster: 'chengdu-edge',
});

export const immutable = new FleetError(
  'FieldImmutable',
  'spec.selector: Invalid value: field is immutable',
  {
    ref: ref('Deployment/api', 'shop', 'apps/v1'),
    origin: origin('apps/backend/api.yaml', 3, 'backend'),
  },
);

/** Every action, an unreachable cluster, one in sync, faults of the fleet and of a cluster. */
export function changeReport(kind: 'Plan' | 'SyncReport'): ChangeReport {
  return {
    kind,
    metadata,
    errors: [
      new FleetError('ManifestInvalid', 'duplicated mapping key', {
        origin: { ...origin('apps/broken.yaml', 3, 'broken'), column: 5 },
      }),
    ],
    clusters: [
      busyCluster(),
      cluster('beijing-prod', { changes: [unchanged('ConfigMap/a'), unchanged('ConfigMap/b')] }),
      awayCluster(),
    ],
  };
}

function busyCluster(): ClusterReport {
  const prune = { reason: 'it would delete 30 of 214 objects, more than 20 percent', holdId: 'a1b2c3d4e5f6' };
  return cluster('shanghai-prod', {
    warnings: ['label env: production of Git wins over staging of the registry'],
    errors: [immutable],
    changes: [
      { action: 'held', ref: ref('ConfigMap/old-2', 'shop'), origin: goneOrigin, fields: [], ...prune },
      { action: 'held', ref: ref('ConfigMap/old-1', 'shop'), origin: goneOrigin, fields: [], ...prune },
      {
        action: 'failed',
        ref: immutable.subject.ref!,
        origin: immutable.subject.origin!,
        fields: [],
        reason: 'FieldImmutable',
        error: immutable,
      },
      {
        action: 'create',
        ref: ref('Namespace/shop'),
        origin: origin('clusters/shanghai-prod/ns.yaml', 1, 'clusters/shanghai-prod'),
        fields: [],
      },
      {
        action: 'configure',
        ref: web,
        origin: origin('apps/frontend/deployment.yaml', 12),
        fields: [
          {
            path: '.spec.template.spec.containers[name=web].image',
            desired: 'registry.example/web:1.28',
            live: 'registry.example/web:1.27',
            changedBy: [{ manager: 'fleetwright', operation: 'Apply', time: '2026-11-29T09:00:00Z' }],
          },
          {
            path: '.spec.replicas',
            desired: 2,
            live: 5,
            changedBy: [{ manager: 'kubectl-scale', operation: 'Update', subresource: 'scale' }],
          },
          { path: '.spec.paused', live: true, changedBy: [] },
        ],
      },
      {
        action: 'delete',
        ref: ref('ConfigMap/gone', 'shop'),
        origin: goneOrigin,
        fields: [],
        reason: 'no longer in Git',
      },
      {
        action: 'pending',
        ref: ref('Widget/one', 'shop', 'example.com/v1'),
        origin: origin('apps/widget.yaml', 4),
        fields: [],
        reason: 'waits for its definition',
      },
      {
        action: 'skipped',
        ref: ref('Secret/token', 'shop'),
        origin: origin('apps/token.yaml'),
        fields: [],
        reason: 'drift is ignored by its annotation',
      },
      unchanged('ConfigMap/same'),
    ],
  });
}

function awayCluster(): ClusterReport {
  return cluster('chengdu-edge', {
    state: 'unreachable',
    lastSeenAt: '2026-11-30T13:50:01Z',
    errors: [unreachable],
  });
}

/** Every kind of drift and of action. */
export function driftReport(): DriftReport {
  const detectedAt = '2026-11-30T14:02:10Z';
  return {
    kind: 'DriftReport',
    metadata,
    errors: [],
    clusters: [
      driftCluster('shanghai-prod', {
        objects: [
          {
            ref: web,
            origin: origin('apps/frontend/deployment.yaml'),
            kind: 'changed',
            action: 'corrected',
            detectedAt,
            correctedAt: '2026-11-30T14:02:11Z',
            fields: [
              {
                path: '.spec.replicas',
                desired: 2,
                live: 5,
                changedBy: [{ manager: 'kubectl', operation: 'Update', subresource: 'scale' }],
              },
            ],
          },
          {
            ref: ref('ConfigMap/settings', 'shop'),
            origin: origin('apps/frontend/settings.yaml', 7),
            kind: 'changed',
            action: 'pending',
            detectedAt,
            fields: [
              {
                path: '.data["app.conf"]',
                desired: `${'# a long header\n'.repeat(20)}port = 8080\n`,
                live: `${'# a long header\n'.repeat(20)}port = 9090\n`,
                changedBy: [{ manager: 'kubectl-edit', operation: 'Update', time: detectedAt }],
              },
              { path: '.data.mode', desired: 'fast', changedBy: [] },
              {
                path: '.data.note',
                live: 'no',
                changedBy: [{ manager: 'k9s', operation: 'Update', time: '2026-11-28T10:00:00Z' }],
              },
            ],
          },
          {
            ref: ref('Service/web', 'shop'),
            origin: origin('apps/frontend/service.yaml', 2),
            kind: 'missing',
            action: 'reported',
            detectedAt,
            fields: [],
          },
          {
            ref: ref('ConfigMap/stray', 'shop'),
            origin: goneOrigin,
            kind: 'extra',
            action: 'ignored',
            detectedAt,
            fields: [],
            reason: 'it opted out of pruning',
          },
          {
            ref: ref('Role/reader', 'shop', 'rbac.authorization.k8s.io/v1'),
            origin: origin('apps/rbac.yaml'),
            kind: 'unlabelled',
            action: 'corrected',
            detectedAt,
            fields: [],
          },
          {
            ref: ref('Job/import', 'shop', 'batch/v1'),
            origin: origin('apps/job.yaml'),
            kind: 'conflict',
            action: 'reported',
            detectedAt,
            fields: [],
            reason: 'it belongs to Argo CD',
          },
        ],
      }),
      driftCluster('beijing-prod', { objectCount: 1 }),
      driftCluster('chengdu-edge', {
        state: 'unreachable',
        lastSeenAt: '2026-11-30T13:50:01Z',
        errors: [unreachable],
      }),
    ],
  };
}
