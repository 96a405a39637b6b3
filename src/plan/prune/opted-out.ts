import { pruneAnnotation } from '../../model/apply-set.ts';
import { generatorOf, type PruneGuard } from './guard.ts';

/** The fleet, the generator or the object itself says that it is not to be pruned. */
export const optedOut: PruneGuard = (candidate, context) => {
  if (candidate.deleting)
    return { action: 'pending', reason: 'it is being deleted; a finalizer may keep it' };
  if (candidate.pruneDisabled)
    return { action: 'skipped', reason: `it carries ${pruneAnnotation}: disabled` };
  if (generatorOf(candidate, context)?.sync.prune ?? context.policy.prune) return undefined;
  return { action: 'skipped', reason: 'pruning is turned off' };
};
