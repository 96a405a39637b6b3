import type { FleetError } from './fleet-error.ts';
import { groupKindOf, type ObjectRef } from './object-ref.ts';

/** Whose deletion takes along what nobody could create anew: all that is inside, or the data. */
const irreplaceable: ReadonlySet<string> = new Set([
  'Namespace',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition.apiextensions.k8s.io',
]);

/** Whether an object of the kind may be deleted and created anew where a field of it cannot be changed. */
export function isReplaceable(ref: Pick<ObjectRef, 'apiVersion' | 'kind'>): boolean {
  return !irreplaceable.has(groupKindOf(ref));
}

/** 'replaced: .spec.selector is immutable', from the refusal. */
export function reasonToReplace({ message }: FleetError): string {
  const fields = message
    .replace(/^\d+ faults: /, '')
    .split('; ')
    .flatMap((cause) => /^([A-Za-z][\w.[\]"/-]*): /.exec(cause)?.[1] ?? [])
    .map((field) => `.${field}`);
  const names = [...new Set(fields)];
  if (names.length === 0) return `replaced: ${message}`;
  return `replaced: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} immutable`;
}
