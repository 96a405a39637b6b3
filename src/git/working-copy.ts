import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { FleetError } from '../model/fleet-error.ts';
import { type DirectoryNode, nodeAt, type Snapshot, type TreeNode } from '../model/snapshot.ts';
import { defaultMaxBlobBytes, type GitSource } from './git-source.ts';
import { createSnapshot } from './tree/git-snapshot.ts';
import { resolveLinks } from './tree/resolve-links.ts';

const filesInFlight = 32;

/**
 * A folder as it lies on disk, whatever Git knows of it; `.git` itself is left out. File ids are Git's own blob ids.
 * A file that changes after the poll that saw it is not read half new: its read fails, and the next poll sees it.
 */
export function openWorkingCopy(dir: string): GitSource {
  let last: Snapshot | null = null;

  async function poll(signal: AbortSignal): Promise<Snapshot> {
    const targets = new Map<string, string>();
    const root = await scan(dir, { signal, targets, limit: pLimit(filesInFlight) });
    const resolved = await resolveLinks(root, '', {
      find: (path) => Promise.resolve(nodeAt(root, path)),
      readLink: ({ oid }) => Promise.resolve(targets.get(oid) ?? ''),
    });
    if (last?.tree.oid === resolved.tree.oid) return last;
    last = createSnapshot('working-copy', resolved, (oid, path) => readUnchanged(join(dir, path), oid));
    return last;
  }

  return { poll, lastKnown: () => Promise.resolve(last), close: () => Promise.resolve() };
}

interface Scan {
  readonly signal: AbortSignal;
  /** What each link says, by its id. */
  readonly targets: Map<string, string>;
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
}

async function scan(dir: string, context: Scan): Promise<DirectoryNode> {
  context.signal.throwIfAborted();
  const entries = (await listDirectory(dir)).filter(({ name }) => name !== '.git');
  const nodes = await Promise.all(
    entries.map(async (entry): Promise<readonly [string, TreeNode] | undefined> => {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) return [entry.name, await scan(path, context)];
      if (entry.isSymbolicLink()) return [entry.name, await scanLink(path, context)];
      if (!entry.isFile()) return undefined;
      return [entry.name, { kind: 'file', oid: await context.limit(() => hashFile(path, context.signal)) }];
    }),
  );
  const children = new Map(nodes.filter((node) => node !== undefined));
  const content = [...children].map(([name, { kind, oid }]) => [name, kind, oid]);
  return {
    kind: 'directory',
    oid: createHash('sha1').update(JSON.stringify(content)).digest('hex'),
    children,
  };
}

async function listDirectory(dir: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw unreadable('folder', dir, error);
  }
}

async function scanLink(path: string, { targets }: Scan): Promise<TreeNode> {
  const target = await readlink(path);
  const oid = blobId(Buffer.from(target));
  targets.set(oid, target);
  return { kind: 'symlink', oid };
}

/** Streams, since a working copy may hold files of any size that no manifest needs. */
async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  try {
    const { size } = await stat(path);
    const hash = createHash('sha1').update(`blob ${size}\0`);
    // Without a limit of its own a file that grows while it is read would never end.
    if (size > 0)
      for await (const chunk of createReadStream(path, { end: size - 1, signal }))
        hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable('file', path, error);
  }
}

async function readUnchanged(path: string, oid: string): Promise<Uint8Array> {
  const bytes = await readWhole(path);
  if (blobId(bytes) !== oid)
    throw new FleetError('GitUnavailable', `the file ${path} changed since it was listed`);
  return bytes;
}

async function readWhole(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size <= defaultMaxBlobBytes) return await readFile(path);
    throw new FleetError(
      'ManifestInvalid',
      `the file ${path} has ${size} bytes, more than the ${defaultMaxBlobBytes} that are read`,
    );
  } catch (error) {
    throw error instanceof FleetError ? error : unreadable('file', path, error);
  }
}

function blobId(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function unreadable(what: 'file' | 'folder', path: string, error: unknown): FleetError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault';
  return new FleetError('GitUnavailable', `the ${what} ${path} cannot be read (${code})`);
}
