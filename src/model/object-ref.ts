/**
 * What names an object in one cluster. `namespace` is '' for a cluster-scoped object.
 * Two refs name the same object when group, kind, namespace and name agree; the version is how it is spoken of.
 */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** The API group of an apiVersion: '' for 'v1', 'apps' for 'apps/v1'. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** The version of an apiVersion: 'v1' for both 'v1' and 'apps/v1'. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

/** 'Deployment.apps' or 'ConfigMap': a kind whatever its version, as the ApplySet specification writes it. */
export function groupKindOf(ref: Pick<ObjectRef, 'apiVersion' | 'kind'>): string {
  const group = groupOf(ref.apiVersion);
  return group === '' ? ref.kind : `${ref.kind}.${group}`;
}

/** A key equal for all refs that name the same object, whatever the version: 'Deployment.apps/shop/web'. */
export function refKey(ref: ObjectRef): string {
  return `${groupKindOf(ref)}/${ref.namespace}/${ref.name}`;
}

/** For people: 'Deployment/web in shop', 'Namespace/shop'. */
export function formatRef(ref: ObjectRef): string {
  return ref.namespace === '' ? `${ref.kind}/${ref.name}` : `${ref.kind}/${ref.name} in ${ref.namespace}`;
}

/** A total order: namespace, kind, group, name, version. Output sorted with it is the same each time. */
export function compareRefs(a: ObjectRef, b: ObjectRef): number {
  return (
    compareText(a.namespace, b.namespace) ||
    compareText(a.kind, b.kind) ||
    compareText(groupOf(a.apiVersion), groupOf(b.apiVersion)) ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion)
  );
}

/** Compares by code unit: unlike localeCompare it gives the same order on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
