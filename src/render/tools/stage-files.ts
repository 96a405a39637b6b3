import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import pLimit from 'p-limit';

import { FleetError } from '../../model/fleet-error.ts';
import { nodeAt, type Snapshot, type TreeNode } from '../../model/snapshot.ts';

/** More than this in a source is no source but a whole repository. */
const maxFiles = 5_000;
const maxBytes = 64 * 1024 * 1024;
const filesInFlight = 16;

/** A folder or file of a revision, and the path below the staging folder where a tool finds it. */
export interface Placement {
  readonly path: string;
  readonly at: string;
}

/**
 * Writes folders and files of a revision below `dir`. Links that can be
 * followed are in the tree as what they point to, so none is ever written and nothing that is written leads out of `dir`.
 * @throws FleetError RenderFailed when there is more than a source may hold, and whatever reading a file throws
 */
export async function stageFiles(
  snapshot: Snapshot,
  placements: readonly Placement[],
  { dir, signal }: { readonly dir: string; readonly signal: AbortSignal },
): Promise<void> {
  const files = placements.flatMap(({ path, at }) =>
    filesAt(nodeAt(snapshot.tree, path), '').map((file) => ({
      path: posix.join(path, file),
      target: join(dir, at, file),
    })),
  );
  if (files.length > maxFiles) throw tooMuch(placements, `${files.length} files; at most ${maxFiles}`);
  const folders = new Set(files.map(({ target }) => dirname(target)));
  await Promise.all([...folders].map((folder) => mkdir(folder, { recursive: true })));
  const limit = pLimit(filesInFlight);
  let total = 0;
  const written = await Promise.allSettled(
    files.map(({ path, target }) =>
      limit(async () => {
        signal.throwIfAborted();
        const bytes = await snapshot.read(path);
        total += bytes.byteLength;
        if (total > maxBytes) throw tooMuch(placements, `more than ${maxBytes / 1024 / 1024} MiB; no more`);
        await writeFile(target, bytes);
      }),
    ),
  );
  // Only once nothing writes any more may the folder be removed.
  for (const result of written) if (result.status === 'rejected') throw result.reason;
}

function tooMuch(placements: readonly Placement[], what: string): FleetError {
  const folders = placements.map(({ path }) => path || 'the fleet’s root').join(', ');
  return new FleetError('RenderFailed', `${folders} hold ${what} can be given to a tool`);
}

/** The files at or below a node, by their paths from it; '' for a file itself. */
function filesAt(node: TreeNode | undefined, path: string): string[] {
  if (node?.kind === 'file') return [path];
  if (node?.kind !== 'directory') return [];
  return [...node.children].flatMap(([name, child]) =>
    filesAt(child, path === '' ? name : `${path}/${name}`),
  );
}
