import type { DesiredObject } from '../model/desired.ts';
import { objectAt, stringAt } from '../model/json.ts';
import { groupKindOf, type ObjectRef } from '../model/object-ref.ts';
import type { ServerFacts } from '../model/server-facts.ts';
import { namespacedKinds } from './namespaced-kinds.ts';

/** Where objects of a kind live; undefined where that is not known without asking the cluster. */
export type ScopeLookup = (ref: Pick<ObjectRef, 'apiVersion' | 'kind'>) => Scope | undefined;
export type Scope = 'cluster' | 'namespaced';

/** Built-in kinds that live in no namespace, as Kubernetes 1.36 serves them. */
const clusterScoped: ReadonlySet<string> = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'APIService.apiregistration.k8s.io',
  'CertificateSigningRequest.certificates.k8s.io',
  'ClusterRole.rbac.authorization.k8s.io',
  'ClusterRoleBinding.rbac.authorization.k8s.io',
  'ClusterTrustBundle.certificates.k8s.io',
  'CSIDriver.storage.k8s.io',
  'CSINode.storage.k8s.io',
  'CustomResourceDefinition.apiextensions.k8s.io',
  'DeviceClass.resource.k8s.io',
  'FlowSchema.flowcontrol.apiserver.k8s.io',
  'IngressClass.networking.k8s.io',
  'IPAddress.networking.k8s.io',
  'MutatingAdmissionPolicy.admissionregistration.k8s.io',
  'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'PriorityClass.scheduling.k8s.io',
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io',
  'ResourceSlice.resource.k8s.io',
  'RuntimeClass.node.k8s.io',
  'ServiceCIDR.networking.k8s.io',
  'StorageClass.storage.k8s.io',
  'StorageVersionMigration.storagemigration.k8s.io',
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
  'VolumeAttachment.storage.k8s.io',
  'VolumeAttributesClass.storage.k8s.io',
]);

/**
 * Tells where kinds live: as the CustomResourceDefinitions among the objects say, then as the cluster said last, then
 * as built-in kinds do.
 */
export function scopeLookup(objects: readonly DesiredObject[], server?: ServerFacts): ScopeLookup {
  const defined = definedScopes(objects);
  const served = server === undefined ? undefined : servedScopes(server);
  return (ref) => {
    const groupKind = groupKindOf(ref);
    return defined.get(groupKind) ?? served?.get(groupKind) ?? builtInScope(groupKind);
  };
}

function builtInScope(groupKind: string): Scope | undefined {
  if (clusterScoped.has(groupKind)) return 'cluster';
  return namespacedKinds.has(groupKind) ? 'namespaced' : undefined;
}

/** The namespace in which an object will live; '' for none. A kind of which nothing is known is taken for namespaced. */
export function namespaceOf({ ref, defaultNamespace }: DesiredObject, scopeOf: ScopeLookup): string {
  if (scopeOf(ref) === 'cluster') return '';
  return ref.namespace === '' ? defaultNamespace : ref.namespace;
}

function definedScopes(objects: readonly DesiredObject[]): ReadonlyMap<string, Scope> {
  const scopes = new Map<string, Scope>();
  for (const { ref, manifest } of objects) {
    if (ref.kind !== 'CustomResourceDefinition') continue;
    const scope = stringAt(manifest, 'spec', 'scope');
    const kind = stringAt(objectAt(manifest, 'spec', 'names'), 'kind');
    const group = stringAt(manifest, 'spec', 'group');
    if (kind === undefined || group === undefined) continue;
    if (scope === 'Cluster' || scope === 'Namespaced')
      scopes.set(`${kind}.${group}`, scope === 'Cluster' ? 'cluster' : 'namespaced');
  }
  return scopes;
}

const known = new WeakMap<ServerFacts, ReadonlyMap<string, Scope>>();

/** Made once for each answer of a server, which may name hundreds of kinds. */
function servedScopes(server: ServerFacts): ReadonlyMap<string, Scope> {
  const scopes = known.get(server) ?? new Map(scopesOf(server));
  known.set(server, scopes);
  return scopes;
}

function* scopesOf({ apiVersions, clusterScoped: those }: ServerFacts): Generator<readonly [string, Scope]> {
  for (const served of apiVersions) {
    // 'v1/Pod' and 'apps/v1/Deployment' name kinds, 'v1' and 'apps/v1' do not.
    const slash = served.lastIndexOf('/');
    const kind = served.slice(slash + 1);
    if (slash > 0 && /^[A-Z]/.test(kind))
      yield [groupKindOf({ apiVersion: served.slice(0, slash), kind }), 'namespaced'];
  }
  for (const groupKind of those) yield [groupKind, 'cluster'];
}

/** Tells whether an object lives in no namespace, as far as that is known without a cluster. */
export function clusterScopeOf(objects: readonly DesiredObject[]): (object: DesiredObject) => boolean {
  const scopeOf = scopeLookup(objects);
  return ({ ref }) => scopeOf(ref) === 'cluster';
}
