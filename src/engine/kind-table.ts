import type { Discovery, ResourceInfo } from '../kube/discovery.ts';
import type { ResolveResource } from '../kube/resolve-resource.ts';
import type { DesiredObject } from '../model/desired.ts';
import type { ObjectRef } from '../model/object-ref.ts';
import { definedKinds, type Scope } from '../plan/definitions.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** The kinds that a cluster serves, together with those that definitions about to be applied will bring. */
export interface KindTable {
  readonly scopeOf: (apiVersion: string, kind: string) => Scope | undefined;
  readonly resolve: ResolveResource;
  readonly isServed: (kind: Kind) => boolean;
}

/** What can be spoken of in a cluster: what it serves now comes first, since that is the truth. */
export function kindTable(discovery: Discovery, desired: readonly DesiredObject[]): KindTable {
  const coming = new Map<string, ResourceInfo>(
    definedKinds(desired).map(({ apiVersion, kind, plural, scope }) => [
      `${apiVersion}/${kind}`,
      { apiVersion, kind, plural, namespaced: scope === 'namespaced', verbs: [] },
    ]),
  );
  const resolve: ResolveResource = ({ apiVersion, kind }) => {
    const served = discovery.find(apiVersion, kind);
    if (served !== undefined) return isKept(served) ? served : undefined;
    return coming.get(`${apiVersion}/${kind}`);
  };
  return {
    resolve,
    scopeOf: (apiVersion, kind) => {
      const resource = resolve({ apiVersion, kind });
      if (resource === undefined) return undefined;
      return resource.namespaced ? 'namespaced' : 'cluster';
    },
    isServed: ({ apiVersion, kind }) => discovery.find(apiVersion, kind) !== undefined,
  };
}

/** Whether the server keeps objects of a kind; reviews and bindings are questions and orders, and leave nothing to sync. */
export function isKept({ verbs }: Pick<ResourceInfo, 'verbs'>): boolean {
  return verbs.includes('list');
}
