import { FleetError } from '../model/fleet-error.ts';
import type { DirectoryNode, Snapshot } from '../model/snapshot.ts';
import type { GitSource } from './git-source.ts';
import type { Tip } from './objects/read-tip.ts';
import type { RepositoryClient } from './repository-client.ts';
import { createBlobCache } from './tree/blob-cache.ts';
import { createSnapshot } from './tree/git-snapshot.ts';
import { type LinkLookup, resolveLinks } from './tree/resolve-links.ts';
import { createTreeLoader } from './tree/tree-loader.ts';

export interface FollowOptions {
  readonly client: RepositoryClient;
  /** The repository as people may see it. */
  readonly shown: string;
  /** source.path */
  readonly path: string;
}

/** Enough for the manifests of a large fleet; what is beyond it is read again. */
const blobCacheBytes = 32 * 1024 * 1024;

/** A GitSource over a repository: here trees become nodes and blobs are cached. */
export function followRepository({ client, shown, path }: FollowOptions): GitSource {
  const trees = createTreeLoader((oid, revision) => client.read({ oid, revision }));
  const blobs = createBlobCache((oid, revision) => client.read({ oid, revision }), blobCacheBytes);
  let last: Snapshot | null = null;
  let lastRoot: DirectoryNode | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function snapshotOf(tip: Tip | null): Promise<Snapshot | null> {
    if (tip === null) return null;
    if (last?.revision === tip.commit) return last;
    const root = await findRoot(tip);
    const resolved = await resolveLinks(root, path, lookupIn(tip));
    trees.keepOnly(lastRoot === undefined ? [root] : [root, lastRoot]);
    last = createSnapshot(tip.commit, resolved, (oid) => blobs.get(oid, tip.commit));
    lastRoot = root;
    return last;
  }

  async function findRoot(tip: Tip): Promise<DirectoryNode> {
    const found = await trees.find(tip.tree, path, tip.commit);
    if (found?.kind === 'directory') return found;
    // An empty tree in its place would read as the wish to remove everything.
    throw new FleetError('GitRefNotFound', `${shown} has no folder '${path}' at revision ${tip.commit}`);
  }

  function lookupIn(tip: Tip): LinkLookup {
    return {
      find: (wanted) => trees.find(tip.tree, wanted, tip.commit),
      readLink: async ({ oid }) => Buffer.from(await blobs.get(oid, tip.commit)).toString('utf8'),
    };
  }

  /** Runs one after another: each poll sees what the one before it left. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work, work);
    turn = result;
    return result;
  }

  return {
    poll: (signal) => inTurn(async () => snapshotOf(await client.sync(signal))),
    lastKnown: (signal) => inTurn(async () => snapshotOf(await client.lastKnown(signal))),
    async close() {
      await client.close();
      await turn.catch(() => undefined);
    },
  };
}
