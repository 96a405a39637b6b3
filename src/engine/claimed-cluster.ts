import { type ApplySetParent, parentName } from '../apply/apply-set-parent.ts';
import { FleetError } from '../model/fleet-error.ts';
import { holdId } from '../plan/hold-id.ts';
import type { StateStore } from '../store/state-store.ts';

export interface Claim {
  readonly fleet: string;
  /** Our name for the cluster. */
  readonly cluster: string;
  readonly store: Pick<StateStore, 'isApproved'>;
}

/**
 * A fleet syncs a cluster under one name. Under two, by two entries of a registry or a renamed one, each would take what
 * the other wants for its own to prune; so the name that the parent tells is the only one, until a person says otherwise.
 * An approval is good for one change of the name: writing the new one gives the parent another version.
 * @throws FleetError OwnershipConflict when the cluster goes by another name.
 */
export function assertClaimed(parent: ApplySetParent, { fleet, cluster, store }: Claim): void {
  if (parent.cluster === undefined || parent.cluster === cluster) return;
  const id = holdId(['claim', fleet, parent.cluster, cluster, parent.uid, parent.resourceVersion]);
  if (store.isApproved(id)) return;
  throw new FleetError(
    'OwnershipConflict',
    `fleet ${fleet} syncs this API server as cluster ${parent.cluster}, as ConfigMap/${parentName(fleet)} says; ` +
      `if ${parent.cluster} is now named ${cluster}: fleetwright approve ${id}`,
    { cluster },
  );
}
