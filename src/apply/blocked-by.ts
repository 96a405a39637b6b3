import { stringAt } from '../model/json.ts';
import { formatRef, groupKindOf, type ObjectRef } from '../model/object-ref.ts';
import type { PlannedWrite, PreparedObject } from '../model/plan.ts';

/**
 * What blocks others: namespaces by name and kinds by the definition that brings them, where these do not exist; and
 * by key what others say that they depend on, where it is not as Git wants it.
 */
export interface Blockers {
  readonly namespaces: Map<string, ObjectRef>;
  readonly kinds: Map<string, ObjectRef>;
  readonly objects: Map<string, ObjectRef>;
}

/** No blockers yet. */
export function noBlockers(): Blockers {
  return { namespaces: new Map(), kinds: new Map(), objects: new Map() };
}

/** Remembers an object that does not exist, since creating it failed, if others depend on it. */
export function addBlocker(blockers: Blockers, { ref, body }: Pick<PreparedObject, 'ref' | 'body'>): void {
  if (groupKindOf(ref) === 'Namespace') blockers.namespaces.set(ref.name, ref);
  if (groupKindOf(ref) === 'CustomResourceDefinition.apiextensions.k8s.io') {
    const kind = stringAt(body, 'spec', 'names', 'kind') ?? '';
    blockers.kinds.set(`${kind}.${stringAt(body, 'spec', 'group') ?? ''}`, ref);
  }
}

/** What keeps a write from being tried, said for people; undefined when nothing does. */
export function blockedBy(blockers: Blockers, write: PlannedWrite): string | undefined {
  if (write.action === 'delete') return undefined;
  const needed = write.object.dependsOn.flatMap((key) => blockers.objects.get(key) ?? [])[0];
  if (needed !== undefined) return formatRef(needed);
  // A namespace or definition that exists already serves those inside although its own change failed.
  if (write.action !== 'create') return undefined;
  const { ref } = write.object;
  const blocker = blockers.namespaces.get(ref.namespace) ?? blockers.kinds.get(groupKindOf(ref));
  return blocker === undefined ? undefined : formatRef(blocker);
}
