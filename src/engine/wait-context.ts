import type { WaitContext } from '../plan/order/waits.ts';
import type { ClusterState } from './cluster-state.ts';

/** What the inventory tells of the objects that others depend on. */
export function waitContext({
  inventory,
  healthKinds,
}: ClusterState): Pick<WaitContext, 'owned' | 'hasHealth'> {
  return {
    owned: (ref) => inventory.get(ref),
    // Where nobody may see how objects fare, nobody can wait for it.
    hasHealth: (groupKind) => {
      const kind = inventory.kindState(groupKind);
      const isHidden = kind.state === 'failed' && kind.error.code === 'Forbidden';
      return healthKinds.has(groupKind) && !isHidden;
    },
  };
}
