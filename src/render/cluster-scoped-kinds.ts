import type { DesiredObject } from '../model/desired.ts';
import { objectAt, stringAt } from '../model/json.ts';
import { groupKindOf } from '../model/object-ref.ts';

/** Built-in kinds that live in no namespace, as Kubernetes 1.36 serves them. */
const builtIn: ReadonlySet<string> = new Set([
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
 * Tells whether a kind lives in no namespace, as far as that is known without a cluster: from the built-in kinds and
 * the CustomResourceDefinitions among the objects. Any other kind is taken for namespaced.
 */
export function clusterScopeOf(objects: readonly DesiredObject[]): (object: DesiredObject) => boolean {
  const defined = new Set<string>();
  for (const { ref, manifest } of objects) {
    if (ref.kind !== 'CustomResourceDefinition' || stringAt(manifest, 'spec', 'scope') !== 'Cluster')
      continue;
    const kind = stringAt(objectAt(manifest, 'spec', 'names'), 'kind');
    const group = stringAt(manifest, 'spec', 'group');
    if (kind !== undefined && group !== undefined) defined.add(`${kind}.${group}`);
  }
  return ({ ref }) => {
    const groupKind = groupKindOf(ref);
    return builtIn.has(groupKind) || defined.has(groupKind);
  };
}
