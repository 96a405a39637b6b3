import type { DesiredObject } from '../../../src/model/desired.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { OwnedObject } from '../../../src/model/observation.ts';
import { groupKindOf, type ObjectRef } from '../../../src/model/object-ref.ts';

/** API versions of the kinds that tests speak of; others are of core v1. */
const apiVersions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  ClusterRole: 'rbac.authorization.k8s.io/v1',
  CustomResourceDefinition: 'apiextensions.k8s.io/v1',
  ValidatingWebhookConfiguration: 'admissionregistration.k8s.io/v1',
  Widget: 'example.com/v1',
};

const clusterKinds = new Set([
  'Namespace',
  'ClusterRole.rbac.authorization.k8s.io',
  'CustomResourceDefinition.apiextensions.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
]);

export function isClusterScoped(ref: Pick<ObjectRef, 'apiVersion' | 'kind'>): boolean {
  return clusterKinds.has(groupKindOf(ref));
}

/** 'ConfigMap/web' lives in the namespace shop unless another is given; 'Namespace/shop' in none. */
export function refOf(name: string, namespace = 'shop'): ObjectRef {
  const [kind = '', objectName = ''] = name.split('/');
  const apiVersion = apiVersions[kind] ?? 'v1';
  const ref = { apiVersion, kind, name: objectName };
  return { ...ref, namespace: isClusterScoped(ref) ? '' : namespace };
}

/** What stands for an object in expectations: 'ConfigMap/web'. */
export function nameOf({ kind, name }: ObjectRef): string {
  return `${kind}/${name}`;
}

export interface WantedOptions {
  readonly generator?: string;
  readonly ref?: ObjectRef;
  readonly annotations?: JsonObject;
  readonly file?: string;
  readonly spec?: JsonObject;
}

/** An object as a generator gives it. */
export function wanted(name: string, options: WantedOptions = {}): DesiredObject {
  const ref = options.ref ?? refOf(name);
  const generator = options.generator ?? 'web';
  return {
    ref,
    manifest: {
      apiVersion: ref.apiVersion,
      kind: ref.kind,
      metadata: {
        name: ref.name,
        ...(ref.namespace === '' ? {} : { namespace: ref.namespace }),
        ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
      },
      ...(options.spec === undefined ? {} : { spec: options.spec }),
    },
    origin: { generator, file: options.file ?? `apps/${generator}.yaml`, document: 1, line: 1 },
    defaultNamespace: 'shop',
  };
}

/** A live object of ours, as its metadata tells. */
export function owned(name: string, changes: Partial<OwnedObject> = {}): OwnedObject {
  return {
    ref: refOf(name),
    uid: `uid-${name}`,
    resourceVersion: '7',
    generator: 'web',
    desiredHash: 'h1',
    pruneDisabled: false,
    ownership: 'o1',
    additions: '',
    deleting: false,
    version: '7',
    ...changes,
  };
}
