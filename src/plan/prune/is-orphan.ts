import type { OwnedObject } from '../../model/observation.ts';
import { generatorOf, type PruneContext } from './guard.ts';

/** Whether an object stays when Git drops it, as it says itself, or as its generator says by now. */
export function isOrphan(candidate: OwnedObject, context: PruneContext): boolean {
  return candidate.orphan ?? generatorOf(candidate, context)?.sync.deletion === 'orphan';
}
