import { systemNamespace } from '../../model/apply-set.ts';
import { groupKindOf } from '../../model/object-ref.ts';
import type { PruneGuard } from './guard.ts';

const needed = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease', systemNamespace]);

/** Namespaces that every cluster, or Fleetwright itself, needs: Git may label them, and taking that back removes none. */
export const neededByCluster: PruneGuard = ({ ref }) =>
  groupKindOf(ref) === 'Namespace' && needed.has(ref.name)
    ? { action: 'skipped', reason: 'the cluster needs this namespace, so it is never pruned' }
    : undefined;
