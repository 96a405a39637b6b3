import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FleetError } from '../../model/fleet-error.ts';

/** A folder that this process alone may write to until it releases it or dies. */
export interface Slot {
  readonly dir: string;
  release(): void;
}

/** A slot that is taken when it is first needed. */
export interface LazySlot {
  readonly takeDir: () => Promise<string>;
  readonly release: () => Promise<void>;
}

export function lazySlot(parent: string): LazySlot {
  let taking: Promise<Slot> | undefined;
  return {
    async takeDir() {
      taking ??= takeSlot(parent);
      try {
        return (await taking).dir;
      } catch (error) {
        taking = undefined;
        throw error;
      }
    },
    async release() {
      const slot = await taking?.catch(() => undefined);
      taking = undefined;
      slot?.release();
    },
  };
}

/** More processes than this on one repository and one state folder are a runaway script. */
const maxSlots = 32;

const sqliteBusy = 5;

/**
 * Takes the first free of the folders 0, 1, 2… in `parent`. Two processes on one state folder, such as `run` and a
 * `plan` beside it, so get a mirror each, and the next process finds it again. The lock is one of the operating
 * system, taken through SQLite because Node offers no other: it ends with the process, however that ends.
 * @throws FleetError GitUnavailable when the folder cannot be used.
 */
export async function takeSlot(parent: string): Promise<Slot> {
  for (let number = 0; number < maxSlots; number++) {
    const dir = join(parent, String(number));
    try {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const lock = tryLock(dir);
      if (lock !== undefined) {
        // Tells when the mirror was last wanted.
        await utimes(lockPath(dir), new Date(), new Date());
        return {
          dir,
          release() {
            lock.close();
          },
        };
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new FleetError('GitUnavailable', `the folder for the mirror cannot be used: ${reason}`);
    }
  }
  throw new FleetError('GitUnavailable', `more than ${maxSlots} processes use the state folder ${parent}`);
}

/** The file in a slot whose lock says that it is taken. */
export function lockPath(dir: string): string {
  return join(dir, 'lock');
}

/** The lock of a slot until it is closed; undefined when another has it. */
export function tryLock(dir: string): DatabaseSync | undefined {
  const database = new DatabaseSync(lockPath(dir), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
    throw error;
  }
}
