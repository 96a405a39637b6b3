import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { schemaSql, schemaVersion } from './schema.ts';

/**
 * Opens the state database in a folder, making both where they are missing. A file that is corrupt or of another
 * version is set aside, not deleted: all that is in it can be found out again from Git and the clusters.
 * @param onSetAside told the new name of a file that was set aside.
 */
export function openDatabase(stateDir: string, onSetAside: (file: string) => void): DatabaseSync {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const file = join(stateDir, 'state.db');
  try {
    return open(file);
  } catch {
    const aside = `${file}.unreadable-${Date.now()}`;
    for (const suffix of ['', '-wal', '-shm']) setAside(`${file}${suffix}`, `${aside}${suffix}`);
    onSetAside(aside);
    return open(file);
  }
}

/** The database for reading alone; an empty one in memory where there is none, or none that can be read. */
export function openReadOnly(stateDir: string): DatabaseSync {
  const file = join(stateDir, 'state.db');
  if (existsSync(file)) {
    try {
      const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
      if (database.prepare('PRAGMA user_version').get()?.['user_version'] === schemaVersion) return database;
      database.close();
    } catch {
      // Not ours to set aside: the next command that may write does that, and says so.
    }
  }
  const empty = new DatabaseSync(':memory:');
  empty.exec(schemaSql);
  return empty;
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    prepareSchema(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Another process may make the schema at the same moment: the check and the making are one transaction. */
function prepareSchema(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (version === 0) database.exec(`${schemaSql} PRAGMA user_version = ${schemaVersion};`);
  database.exec('COMMIT');
  if (version !== 0 && version !== schemaVersion)
    throw new Error(`state database has version ${String(version)}`);
}

function setAside(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
