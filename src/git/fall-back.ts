import { FleetError } from '../model/fleet-error.ts';
import { NeedsNativeGit } from './needs-native-git.ts';
import type { RepositoryClient } from './repository-client.ts';

/**
 * The embedded Git until it meets what only the native one can do, from then on the native one. Snapshots that were
 * taken before stay readable.
 */
export function fallBack(embedded: RepositoryClient, openNative: () => RepositoryClient): RepositoryClient {
  let native: RepositoryClient | undefined;

  async function syncEmbedded(signal: AbortSignal): ReturnType<RepositoryClient['sync']> {
    try {
      return await embedded.sync(signal);
    } catch (error) {
      if (!(error instanceof NeedsNativeGit)) throw error;
      const next = openNative();
      try {
        const tip = await next.sync(signal);
        native = next;
        return tip;
      } catch (reason) {
        await next.close();
        signal.throwIfAborted();
        throw both(error, reason);
      }
    }
  }

  return {
    sync: (signal) => (native === undefined ? syncEmbedded(signal) : native.sync(signal)),
    lastKnown: (signal) => (native ?? embedded).lastKnown(signal),
    async read(item) {
      if (native === undefined) return await embedded.read(item);
      try {
        return await native.read(item);
      } catch (error) {
        return await embedded.read(item).catch(() => {
          throw error;
        });
      }
    },
    async close() {
      await Promise.all([embedded.close(), native?.close()]);
    },
  };
}

/** Why the native Git was turned to belongs to why that failed. */
function both(first: NeedsNativeGit, reason: unknown): unknown {
  if (!(reason instanceof FleetError)) return reason;
  return new FleetError(reason.code, `${first.message}; nor did the native one help: ${reason.message}`);
}
