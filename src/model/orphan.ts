import { fieldManager, partOfLabel } from './apply-set.ts';
import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from './json.ts';

const ownPrefix = 'fleetwright.dev/';

/**
 * A JSON patch that makes an object nobody's: our label and annotations go, and our ownership of its fields, so that
 * whoever applies it next meets no conflict. Refused by the server where the object has changed meanwhile.
 */
export function orphanPatch(live: JsonObject): JsonObject[] {
  const marks = [
    ...Object.keys(objectAt(live, 'metadata', 'labels'))
      .filter((key) => key === partOfLabel)
      .map((key) => ['labels', key] as const),
    ...Object.keys(objectAt(live, 'metadata', 'annotations'))
      .filter((key) => key.startsWith(ownPrefix))
      .map((key) => ['annotations', key] as const),
  ];
  const others = arrayAt(live, 'metadata', 'managedFields').filter(
    (entry) => !isJsonObject(entry) || entry['manager'] !== fieldManager || entry['operation'] !== 'Apply',
  );
  const version = stringAt(live, 'metadata', 'resourceVersion') ?? '';
  return [
    ...marks.map(([map, key]) => ({ op: 'remove', path: `/metadata/${map}/${escaped(key)}` })),
    // An empty list means no change; a list of one empty entry means none.
    { op: 'replace', path: '/metadata/managedFields', value: others.length === 0 ? [{}] : others },
    { op: 'replace', path: '/metadata/resourceVersion', value: version },
  ];
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
