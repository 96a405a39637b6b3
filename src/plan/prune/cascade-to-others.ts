import { formatRef, refKey } from '../../model/object-ref.ts';
import { type PruneGuard } from './guard.ts';

const shown = 5;

/** Deleting a Namespace or a CustomResourceDefinition deletes what is in it: held while that includes others' objects. */
export const cascadeToOthers: PruneGuard = (candidate, context) => {
  const key = refKey(candidate.ref);
  const cascade = context.cascades.get(key);
  if (cascade === undefined) return undefined;
  if (cascade.state === 'unreadable') {
    return { action: 'skipped', reason: `what it holds could not be read: ${cascade.error.message}` };
  }
  if (cascade.others.length === 0) return undefined;
  const names = cascade.others.slice(0, shown).map(formatRef).join(', ');
  const more = cascade.others.length > shown ? ` and ${cascade.others.length - shown} more` : '';
  return {
    action: 'held',
    reason: `deleting it would also delete ${cascade.others.length} objects that are not part of this removal: ${names}${more}`,
    group: `cascade/${key}`,
  };
};
