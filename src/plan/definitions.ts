import { arrayAt, objectAt, stringAt, valueAt } from '../model/json.ts';
import type { DesiredObject } from '../model/desired.ts';
import { groupOf } from '../model/object-ref.ts';

/** Whether objects of a kind live in namespaces. */
export type Scope = 'namespaced' | 'cluster';

/** A kind that a CustomResourceDefinition in the desired state brings along. */
export interface DefinedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Scope;
  /** metadata.name of the definition. */
  readonly definition: string;
}

/** True for a CustomResourceDefinition. */
export function isDefinition(ref: { readonly apiVersion: string; readonly kind: string }): boolean {
  return ref.kind === 'CustomResourceDefinition' && groupOf(ref.apiVersion) === 'apiextensions.k8s.io';
}

/** Every kind, in every version served, that the definitions among the objects bring. */
export function definedKinds(objects: readonly Pick<DesiredObject, 'ref' | 'manifest'>[]): DefinedKind[] {
  return objects
    .filter((object) => isDefinition(object.ref))
    .flatMap(({ ref, manifest }) => {
      const spec = objectAt(manifest, 'spec');
      const group = stringAt(spec, 'group') ?? '';
      const scope = stringAt(spec, 'scope') === 'Cluster' ? ('cluster' as const) : ('namespaced' as const);
      const served = arrayAt(spec, 'versions').filter((version) => valueAt(version, 'served') !== false);
      return served.map((version) => ({
        apiVersion: `${group}/${stringAt(version, 'name') ?? ''}`,
        kind: stringAt(spec, 'names', 'kind') ?? '',
        plural: stringAt(spec, 'names', 'plural') ?? '',
        scope,
        definition: ref.name,
      }));
    });
}
