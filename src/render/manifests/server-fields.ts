import { isJsonObject, type JsonObject } from '../../model/json.ts';

/** Fields that an API server writes itself; `kubectl get -o yaml` prints them, and an apply that sends them back is refused. */
const metadataFields = [
  'managedFields',
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'generation',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** A manifest without what only a server writes, so that an exported object can be committed as it is. */
export function withoutServerFields(manifest: JsonObject): JsonObject {
  const { metadata } = manifest;
  if (!isJsonObject(metadata)) return manifest;
  const { annotations } = metadata;
  const hasLastApplied = isJsonObject(annotations) && Object.hasOwn(annotations, lastApplied);
  const hasOthers = metadataFields.some((field) => Object.hasOwn(metadata, field));
  if (!Object.hasOwn(manifest, 'status') && !hasLastApplied && !hasOthers) return manifest;
  const kept = without(metadata, metadataFields);
  if (hasLastApplied) {
    const own = without(annotations, [lastApplied]);
    if (Object.keys(own).length > 0) kept['annotations'] = own;
    else delete kept['annotations'];
  }
  return { ...without(manifest, ['status']), metadata: kept };
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
