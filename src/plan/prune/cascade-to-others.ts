import type { OwnedObject } from '../../model/observation.ts';
import { compareRefs, formatRef, groupKindOf, refKey } from '../../model/object-ref.ts';
import { isDefinition } from '../definitions.ts';
import type { Cascade, Verdict } from './guard.ts';

const shown = 5;

interface CascadeContext {
  readonly cascades: ReadonlyMap<string, Cascade>;
  /** Keys of the objects that are deleted in their own right. */
  readonly leaving: ReadonlySet<string>;
}

/**
 * Deleting a Namespace or a CustomResourceDefinition deletes what is in it: held while that includes anything that
 * nobody asked to delete, be it of others, still in Git, or kept by another guard.
 */
export function cascadeToOthers(
  candidate: OwnedObject,
  { cascades, leaving }: CascadeContext,
): Verdict | undefined {
  const key = refKey(candidate.ref);
  const cascade = cascades.get(key);
  if (cascade === undefined) {
    return canHold(candidate) ? { action: 'skipped', reason: 'it is not known what it holds' } : undefined;
  }
  if (cascade.state === 'unreadable') {
    return { action: 'skipped', reason: `what it holds could not be read: ${cascade.error.message}` };
  }
  const others = cascade.contents.filter((ref) => !leaving.has(refKey(ref))).sort(compareRefs);
  if (others.length === 0) return undefined;
  const names = others.slice(0, shown).map(formatRef).join(', ');
  const more = others.length > shown ? ` and ${others.length - shown} more` : '';
  const count = others.length === 1 ? 'an object that is' : `${others.length} objects that are`;
  return {
    action: 'held',
    reason: `deleting it would also delete ${count} not part of this removal: ${names}${more}`,
    group: `cascade/${key}`,
    covers: others.map(refKey),
  };
}

function canHold({ ref }: OwnedObject): boolean {
  return groupKindOf(ref) === 'Namespace' || isDefinition(ref);
}
