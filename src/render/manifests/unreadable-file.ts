import { FleetError, toFleetError } from '../../model/fleet-error.ts';
import type { Origin } from '../../model/origin.ts';
import type { Snapshot } from '../../model/snapshot.ts';

/** Why a file could not be read, as a fault of that file that keeps the code: a network fault stays one. */
export function unreadableFile(error: unknown, origin: Pick<Origin, 'generator' | 'file'>): FleetError {
  const { code, message, retry } = toFleetError(error);
  return new FleetError(code, message, { cause: error, retry, origin: { ...origin, document: 1, line: 1 } });
}

/** The faults of leaves that are no files, with the snapshot's own reason why each is not read. */
export async function faultsOfUnreadable(
  snapshot: Snapshot,
  paths: readonly string[],
  generator: string,
): Promise<FleetError[]> {
  return await Promise.all(
    paths.map(async (file) => {
      const origin = { generator, file, document: 1, line: 1 };
      try {
        await snapshot.read(file);
        return new FleetError('ManifestInvalid', 'it is a link that is not followed', { origin });
      } catch (error) {
        return unreadableFile(error, origin);
      }
    }),
  );
}
