import type { DesiredObject } from '../model/desired.ts';
import { compareRefs, formatRef } from '../model/object-ref.ts';
import { formatOrigin } from '../model/origin.ts';
import type { ScopeLookup } from './cluster-scoped-kinds.ts';

const maxExamples = 3;

/**
 * The warning for objects that go to the namespace `default` because nothing says where they belong; none where there
 * are none. Only kinds that are known to live in a namespace count.
 */
export function defaultedNamespaces(
  { info, objects }: { readonly info: { readonly name: string }; readonly objects: readonly DesiredObject[] },
  scopeOf: ScopeLookup,
): string[] {
  const defaulted = objects.filter(({ ref }) => ref.namespace === '' && scopeOf(ref) === 'namespaced');
  if (defaulted.length === 0) return [];
  const examples = defaulted
    .toSorted((a, b) => compareRefs(a.ref, b.ref))
    .slice(0, maxExamples)
    .map(({ ref, origin }) => `${formatRef(ref)} at ${formatOrigin(origin)}`);
  const more = defaulted.length > maxExamples ? `, and ${defaulted.length - maxExamples} more` : '';
  const subject = defaulted.length === 1 ? '1 object goes' : `${defaulted.length} objects go`;
  return [
    `${info.name}: ${subject} to the namespace default, since neither the manifest nor the generator names one: ${examples.join(', ')}${more}`,
  ];
}
