import type { ChangeAction } from '../model/change.ts';
import type { ClusterReport } from '../model/report.ts';
import type { Logger } from './logger.ts';

const outcomes: Readonly<Partial<Record<ChangeAction, string>>> = {
  create: 'created',
  configure: 'configured',
  delete: 'deleted',
  held: 'held',
  pending: 'pending',
  failed: 'failed',
};

/**
 * One line a cluster and sync, whatever it did. A calm one is for debugging: a fleet at rest logs nothing at info.
 */
export function logClusterSync(
  log: Logger,
  cluster: ClusterReport,
  options: { readonly durationMs: number },
): void {
  const counts: Record<string, number> = {};
  for (const { action } of cluster.changes) {
    const outcome = outcomes[action];
    if (outcome !== undefined) counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  const fields = {
    cluster: cluster.name,
    ...(cluster.revision !== undefined && { revision: cluster.revision }),
    ...counts,
    objects: cluster.changes.length,
    durationMs: Math.round(options.durationMs),
  };
  const [error] = cluster.errors;
  if (cluster.state !== 'reachable') log.warn(`cluster is ${cluster.state}`, { ...fields, error });
  else if (error !== undefined || counts['failed'] !== undefined)
    log.error('sync failed in part', { ...fields, error });
  else if (Object.keys(counts).length > 0) log.info('synced', fields);
  else log.debug('in sync', fields);
}
