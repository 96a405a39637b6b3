import { desiredHashAnnotation, generatorAnnotation } from '../model/apply-set.ts';
import { isJsonObject, type JsonObject, jsonEqual, type JsonValue } from '../model/json.ts';
import { type PathElement } from '../model/managed-fields.ts';

/** A value that two versions of an object have differently; undefined on the side that lacks it. */
export interface ValueDifference {
  readonly path: readonly PathElement[];
  readonly live: JsonValue | undefined;
  readonly merged: JsonValue | undefined;
}

/** What the server keeps for itself, or what we write for ourselves: never a departure from Git. */
const ignoredMetadata = new Set([
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
  'selfLink',
]);
const ignoredAnnotations = new Set([
  generatorAnnotation,
  desiredHashAnnotation,
  // A copy of the whole object, Secrets included, that client-side apply leaves behind.
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/**
 * The leaf-most differences between an object as it is and as it would be after our apply.
 * Items of lists are matched by the key that names them, so that one inserted item is one difference.
 */
export function compareObjects(live: JsonObject, merged: JsonObject): ValueDifference[] {
  const found: ValueDifference[] = [];
  collect(found, [], { live: relevant(live), merged: relevant(merged) });
  return found;
}

function relevant(object: JsonObject): JsonObject {
  const { status: _status, metadata, ...rest } = object;
  if (!isJsonObject(metadata)) return rest;
  const kept = Object.fromEntries(Object.entries(metadata).filter(([key]) => !ignoredMetadata.has(key)));
  if (isJsonObject(kept['annotations'])) {
    const annotations = Object.entries(kept['annotations']).filter(([key]) => !ignoredAnnotations.has(key));
    // An object with nothing but our annotations and one with none are alike.
    if (annotations.length === 0) delete kept['annotations'];
    else kept['annotations'] = Object.fromEntries(annotations);
  }
  return { ...rest, metadata: kept };
}

interface Sides {
  readonly live: JsonValue | undefined;
  readonly merged: JsonValue | undefined;
}

function collect(found: ValueDifference[], path: readonly PathElement[], sides: Sides): void {
  const { live, merged } = sides;
  if (jsonEqual(live, merged)) return;
  if (isJsonObject(live) && isJsonObject(merged)) {
    for (const field of new Set([...Object.keys(merged), ...Object.keys(live)])) {
      collect(found, [...path, { field }], { live: live[field], merged: merged[field] });
    }
  } else if (Array.isArray(live) && Array.isArray(merged)) {
    collectItems(found, path, { live, merged });
  } else {
    found.push({ path, live, merged });
  }
}

function collectItems(
  found: ValueDifference[],
  path: readonly PathElement[],
  { live, merged }: { live: JsonValue[]; merged: JsonValue[] },
): void {
  const key = namingKey([...live, ...merged]);
  if (key === undefined) {
    found.push({ path, live, merged });
    return;
  }
  const before = found.length;
  const names = new Set([...merged, ...live].map((item) => nameOf(item, key)));
  for (const name of names) {
    const index = merged.findIndex((item) => nameOf(item, key) === name);
    const liveItem = live.find((item) => nameOf(item, key) === name);
    const item = merged[index] ?? liveItem;
    collect(found, [...path, { index, item }], { live: liveItem, merged: merged[index] });
  }
  // The same items in another order: the order itself is what differs.
  if (found.length === before) found.push({ path, live, merged });
}

/** Keys that name items in Kubernetes lists, most telling first. */
const namingKeys = [
  'name',
  'key',
  'mountPath',
  'devicePath',
  'containerPort',
  'port',
  'ip',
  'type',
  'uid',
  'topologyKey',
];

/** The key that all items have; undefined when the items have no name in common. */
export function namingKey(items: readonly JsonValue[]): string | undefined {
  return namingKeys.find((key) =>
    items.every(
      (item) => isJsonObject(item) && (typeof item[key] === 'string' || typeof item[key] === 'number'),
    ),
  );
}

function nameOf(item: JsonValue, key: string): JsonValue | undefined {
  return isJsonObject(item) ? item[key] : undefined;
}
