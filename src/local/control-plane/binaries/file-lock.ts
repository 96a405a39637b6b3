import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LockOptions {
  readonly signal: AbortSignal;
  /** Called once when another process holds the lock. */
  readonly onWait?: () => void;
}

const pollMs = 200;
/** SQLITE_BUSY, https://sqlite.org/rescode.html#busy */
const busy = 5;

/**
 * Runs an action while no other process does the same under this path. The lock is SQLite's own on its file: the
 * kernel drops it when its holder ends, however it ends, so none is ever stale and no pid is guessed at.
 */
export async function withFileLock<T>(path: string, options: LockOptions, action: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    for (let waited = false; !tryLock(lock); waited = true) {
      if (!waited) options.onWait?.();
      await sleep(pollMs, undefined, { signal: options.signal });
    }
    return await action();
  } finally {
    lock.close();
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return false;
    throw error;
  }
}
