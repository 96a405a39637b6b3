import type { JsonObject } from '../../model/json.ts';
import type { MapReader } from '../map-reader.ts';
import { readPatches, toPatches } from '../patches.ts';

/** `patches`, and the two keys that older versions have for them. */
export function readKustomizationPatches(spec: MapReader): JsonObject[] {
  const { notes } = spec;
  const strategic = spec
    .maps('patchesStrategicMerge')
    .flatMap(({ value, path }) => toPatches(value, { target: undefined, path, notes }));
  const operations = spec.maps('patchesJson6902').flatMap((reader) => {
    const patch = reader.any('patch') ?? [];
    const target = reader.map('target');
    reader.end();
    return toPatches(patch, { target, path: [...reader.path, 'patch'], notes });
  });
  return [...strategic, ...operations, ...readPatches(spec, 'patches')];
}
