import { type JsonObject, objectAt, stringAt } from '../../../model/json.ts';
import type { ServerFacts } from '../../../model/server-facts.ts';
import { compareText, groupOf } from '../../../model/object-ref.ts';

/** A schema in the words of OpenAPI v3 with Kubernetes' extensions, as both API servers and CustomResourceDefinitions use them. */
export type Schema = JsonObject;

/** What one minor version of Kubernetes serves that can be applied; made by scripts/generate-kubernetes-schemas.ts. */
export interface KubernetesSchemas {
  /** 'v1.36.3': the server that it was read from. */
  readonly kubeVersion: string;
  /** The name of the definition by apiVersion and kind. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Those that live in no namespace, as groupKindOf writes them. */
  readonly clusterScoped: readonly string[];
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** Groups that Kubernetes itself has had and that serve nothing by default any more, or not yet. */
const otherGroups = new Set([
  'extensions',
  'storagemigration.k8s.io',
  'internal.apiserver.k8s.io',
  'settings.k8s.io',
]);

/** '1.36' */
export function minorVersionOf({ kubeVersion }: KubernetesSchemas): string {
  return kubeVersion.replace(/^v/, '').split('.').slice(0, 2).join('.');
}

export function schemaOfKind(
  schemas: KubernetesSchemas,
  apiVersion: string,
  kind: string,
): Schema | undefined {
  const name = stringAt(schemas.kinds, apiVersion, kind);
  return name === undefined ? undefined : objectAt(schemas.definitions, name);
}

/** Whether a group is Kubernetes' own, so that a kind of it that is not known can come from no CustomResourceDefinition. */
export function isBuiltInGroup({ kinds }: KubernetesSchemas, group: string): boolean {
  return otherGroups.has(group) || Object.keys(kinds).some((apiVersion) => groupOf(apiVersion) === group);
}

/** What a server of this version says of itself when nothing is added to it: taken for a cluster that was never asked. */
export function factsOfVersion(schemas: KubernetesSchemas): ServerFacts {
  const apiVersions = Object.entries(schemas.kinds).flatMap(([apiVersion, kinds]) => [
    apiVersion,
    ...Object.keys(kinds).map((kind) => `${apiVersion}/${kind}`),
  ]);
  return {
    version: minorVersionOf(schemas),
    kubeVersion: schemas.kubeVersion,
    apiVersions: apiVersions.sort(compareText),
    clusterScoped: schemas.clusterScoped,
  };
}
