import { isJsonObject, type JsonObject } from '../model/json.ts';
import { groupKindOf, type ObjectRef } from '../model/object-ref.ts';

/** A manifest in the form in which the server keeps it, where it would take another form and keep something else. */
export function asStored(manifest: JsonObject, ref: ObjectRef): JsonObject {
  switch (groupKindOf(ref)) {
    case 'Secret':
      return withData(manifest);
    case 'ClusterRole.rbac.authorization.k8s.io':
      return withoutAggregatedRules(manifest);
    default:
      return manifest;
  }
}

/**
 * The server takes a Secret's stringData and stores it as data, without saying that whoever applied it owns the data:
 * a change by others would go unnoticed. So it is sent the way it is stored; as on the server, stringData wins.
 * Source: Kubernetes API reference, Secret v1.
 */
function withData(manifest: JsonObject): JsonObject {
  const { stringData, ...rest } = manifest;
  if (!isJsonObject(stringData)) return manifest;
  const given = rest['data'] ?? {};
  // Anything but maps of text is for the server to refuse.
  if (!isJsonObject(given)) return manifest;
  const data = { ...given };
  for (const [key, text] of Object.entries(stringData)) {
    if (typeof text !== 'string') return manifest;
    data[key] = Buffer.from(text).toString('base64');
  }
  return { ...rest, data };
}

/**
 * The rules of a ClusterRole that aggregates others are the controller's, whatever the manifest says of them: it would
 * fill them in again and again.
 * Source: Kubernetes API reference, ClusterRole v1, aggregationRule.
 */
function withoutAggregatedRules(manifest: JsonObject): JsonObject {
  const { rules: _rules, ...rest } = manifest;
  return isJsonObject(rest['aggregationRule']) ? rest : manifest;
}
