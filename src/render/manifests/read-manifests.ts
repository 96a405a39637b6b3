import { toFleetError } from '../../model/fleet-error.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { type ManifestFile, readManifestBytes } from './manifest-file.ts';
import type { ManifestEntry } from './manifest-tree.ts';
import type { RenderCache } from '../render-cache.ts';
import { shareWork } from '../share-work.ts';

/** Weight of a file beyond its bytes, so that many tiny ones are bounded, too. */
const fileOverheadBytes = 500;

/**
 * The objects of a file, parsed once for each content.
 * A file that cannot be read is a fault of that file, like one that cannot be parsed; it is not remembered.
 */
export async function readManifestFile(
  snapshot: Snapshot,
  entry: ManifestEntry,
  cache: RenderCache,
): Promise<ManifestFile> {
  const known = cache.files.get(entry.oid);
  if (known !== undefined) return known;
  return await shareWork(cache.underWay.files, entry.oid, () =>
    cache.limit(async () => {
      try {
        const bytes = await snapshot.read(entry.path);
        const file = readManifestBytes(bytes);
        cache.files.set(entry.oid, file, bytes.byteLength + fileOverheadBytes);
        return file;
      } catch (error) {
        const { code, message } = toFleetError(error);
        return { objects: [], faults: [{ code, message, document: 1, line: 1 }] };
      }
    }),
  );
}
