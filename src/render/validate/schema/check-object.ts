import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../../model/json.ts';
import { groupOf } from '../../../model/object-ref.ts';
import { checkDefinition } from './check-definition.ts';
import type { CheckContext } from './check-scalar.ts';
import { checkValue } from './check-value.ts';
import type { CustomKinds } from './custom-kinds.ts';
import { isBuiltInGroup, type KubernetesSchemas, type Schema, schemaOfKind } from './kubernetes-schemas.ts';
import { shown, type Violation } from './violation.ts';

export interface KnownKinds {
  readonly builtIn: KubernetesSchemas;
  readonly custom: CustomKinds;
}

export type ObjectCheck =
  | { readonly kind: 'known'; readonly violations: readonly Violation[] }
  /** A kind in one of Kubernetes' own groups that this version does not serve. */
  | { readonly kind: 'notServed' }
  /** A kind of a definition that was not seen. */
  | { readonly kind: 'unknown' };

/** Holds an object against what is known of its kind. */
export function checkObject(manifest: JsonObject, { builtIn, custom }: KnownKinds): ObjectCheck {
  const apiVersion = stringAt(manifest, 'apiVersion') ?? '';
  const kind = stringAt(manifest, 'kind') ?? '';
  const context: CheckContext = {
    definitions: builtIn.definitions,
    kind: 'builtIn',
    show: showFor(manifest),
  };
  const schema = schemaOfKind(builtIn, apiVersion, kind);
  if (schema !== undefined) {
    const violations = checkValue(manifest, schema, { path: [], context });
    // Of a definition that is wrong in its fields nothing more can be said.
    const isSoundDefinition = kind === 'CustomResourceDefinition' && violations.length === 0;
    return { kind: 'known', violations: isSoundDefinition ? checkDefinition(manifest, context) : violations };
  }
  const customSchema = custom.get(`${apiVersion}/${kind}`);
  if (customSchema !== undefined)
    return { kind: 'known', violations: checkCustom(manifest, customSchema, context) };
  return { kind: isBuiltInGroup(builtIn, groupOf(apiVersion)) ? 'notServed' : 'unknown' };
}

/** Metadata is the server's own whatever a definition says of it. */
function checkCustom(manifest: JsonObject, schema: Schema, context: CheckContext): Violation[] {
  const root = { ...schema, 'x-kubernetes-embedded-resource': true, properties: withoutMetadata(schema) };
  const metadata = { $ref: 'meta.v1.ObjectMeta' };
  return [
    ...checkValue(manifest['metadata'] ?? null, metadata, { path: ['metadata'], context }),
    ...checkValue(manifest, root, { path: [], context: { ...context, kind: 'custom' } }),
  ];
}

function withoutMetadata(schema: Schema): JsonObject {
  const { metadata: _metadata, ...properties } = objectAt(schema, 'properties');
  return properties;
}

/** Values of a Secret are for no eyes, wrong ones neither. */
function showFor(manifest: JsonObject): (value: JsonValue) => string {
  if (manifest['kind'] !== 'Secret') return shown;
  return (value) => (isJsonObject(value) || Array.isArray(value) ? 'a value' : '(hidden)');
}
