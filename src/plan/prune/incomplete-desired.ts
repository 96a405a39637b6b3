import { formatOrigin } from '../../model/origin.ts';
import { groupKindOf } from '../../model/object-ref.ts';
import type { PruneGuard } from './guard.ts';

/** Invariant 1: only a successful read of the whole desired state, and of the kind's inventory, may lead to a deletion. */
export const incompleteDesired: PruneGuard = (candidate, { desired, unreadableKinds }) => {
  const [fault] = desired.faults;
  if (fault !== undefined) {
    const at = fault.subject.origin === undefined ? fault.message : formatOrigin(fault.subject.origin);
    const more = desired.faults.length > 1 ? ` and ${desired.faults.length - 1} more` : '';
    return { action: 'skipped', reason: `nothing is pruned while Git has faults: ${at}${more}` };
  }
  // A failed generator comes with a fault; should that ever be missing, what it would have given is unknown all the same.
  const failed = [...desired.generators.values()].find(({ state }) => state === 'failed');
  if (failed !== undefined)
    return {
      action: 'skipped',
      reason: `nothing is pruned while generator ${failed.name} cannot be rendered`,
    };
  if (unreadableKinds.has(groupKindOf(candidate.ref))) {
    return {
      action: 'skipped',
      reason: `nothing is pruned while ${groupKindOf(candidate.ref)} cannot be listed`,
    };
  }
  return undefined;
};
