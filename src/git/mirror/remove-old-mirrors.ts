import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lockPath, tryLock } from './slot-lock.ts';

/** A mirror that no process used for so long is in nobody's settings any more. */
const keptForMs = 7 * 24 * 60 * 60_000;

/**
 * Removes the mirrors below `gitDir` that nobody uses and nobody used for a week: of an earlier URL or ref, of a `--ref`
 * on the command line, of a second process. What cannot be removed stays until the next time.
 */
export function removeOldMirrors(gitDir: string, nowMs: number): void {
  for (const mirror of subfolders(gitDir)) {
    for (const slot of subfolders(mirror)) removeIfOld(slot, nowMs);
    if (subfolders(mirror).length > 0) continue;
    try {
      rmdirSync(mirror);
    } catch {
      // Another process was quicker, one way or the other.
    }
  }
}

function removeIfOld(slot: string, nowMs: number): void {
  try {
    if (nowMs - statSync(lockPath(slot)).mtimeMs < keptForMs) return;
    const lock = tryLock(slot);
    if (lock === undefined) return;
    try {
      rmSync(slot, { recursive: true, force: true });
    } finally {
      lock.close();
    }
  } catch {
    // Without a lock file it is no mirror of ours; anything else is tried again at the next start.
  }
}

function subfolders(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(dir, name));
}
