import { mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const prefix = 'fleetwright-render-';
const lockName = 'lock';
/** How long a folder may be without a lock: it is made just before its lock. */
const unlockedForMs = 60_000;

/** A folder of this process in which each run of a tool gets a throw-away folder of its own. */
export interface WorkFolder {
  /** Gives `action` an empty folder that is gone afterwards, however the action ends. */
  withFolder<T>(action: (dir: string) => Promise<T>): Promise<T>;
  /** Removes everything. */
  close(): Promise<void>;
}

/**
 * Makes this process's folder in `parent` and removes those that killed processes left there. Each is held by a lock of
 * the operating system, taken through SQLite because Node offers no other, which ends with its process however that
 * ends: no process id is guessed at, which would go wrong where containers share a folder.
 */
export async function openWorkFolder(parent: string): Promise<WorkFolder> {
  await removeStaleFolders(parent);
  // kustomize compares real paths, and /tmp is a link on some systems.
  const root = await realpath(await mkdtemp(join(parent, prefix)));
  const lock = tryLock(join(root, lockName));
  let count = 0;
  return {
    async withFolder(action) {
      const dir = join(root, String(++count));
      await mkdir(dir);
      try {
        return await action(dir);
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    },
    async close() {
      lock?.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function removeStaleFolders(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  await Promise.all(names.map((name) => removeIfStale(join(parent, name))));
}

async function removeIfStale(dir: string): Promise<void> {
  try {
    if (await isStale(dir)) await rm(dir, { recursive: true, force: true });
  } catch {
    // It belongs to somebody else, or is being removed by another process this moment.
  }
}

async function isStale(dir: string): Promise<boolean> {
  const files = await readdir(dir);
  if (!files.includes(lockName)) return Date.now() - (await stat(dir)).mtimeMs > unlockedForMs;
  const lock = tryLock(join(dir, lockName));
  lock?.close();
  return lock !== undefined;
}

/** The lock, or undefined when another holds it. */
function tryLock(path: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch {
    lock.close();
    return undefined;
  }
}
