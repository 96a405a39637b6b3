import { desiredHashAnnotation, generatorAnnotation } from '../../model/apply-set.ts';
import { isJsonObject, type JsonObject, jsonEqual, type JsonValue, valueAt } from '../../model/json.ts';
import type { PathElement } from '../../model/managed-fields.ts';

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
      // Not live[field]: a key such as 'constructor' would be found on every object.
      collect(found, [...path, { field }], { live: valueAt(live, field), merged: valueAt(merged, field) });
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
  const key = namingKey(live, merged);
  if (key === undefined) {
    found.push({ path, live, merged });
    return;
  }
  const before = found.length;
  const names = new Set([...merged, ...live].map((item) => valueAt(item, key)));
  for (const name of names) {
    const isNamed = (item: JsonValue): boolean => valueAt(item, key) === name;
    const liveItem = live.find(isNamed);
    const mergedItem = merged.find(isNamed);
    const index = mergedItem === undefined ? live.findIndex(isNamed) : merged.findIndex(isNamed);
    const item = mergedItem ?? liveItem;
    collect(found, [...path, { index, item }], { live: liveItem, merged: mergedItem });
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

/**
 * The key that names the items of each list: all have it, and no two of one list the same value (as two ports of one
 * number and different protocols would). Undefined when the items have no such key in common.
 */
export function namingKey(...lists: readonly (readonly JsonValue[])[]): string | undefined {
  return namingKeys.find((key) =>
    lists.every((items) => {
      const names = items.map((item) => valueAt(item, key));
      const areNames = names.every((name) => typeof name === 'string' || typeof name === 'number');
      return areNames && new Set(names).size === items.length;
    }),
  );
}
