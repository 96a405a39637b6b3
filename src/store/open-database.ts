import { closeSync, existsSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { FleetError } from '../model/fleet-error.ts';
import { schemaSql, schemaVersion } from './schema.ts';

/** How long a process waits for another that writes, in ms. */
const timeoutMs = 5_000;

/**
 * Opens the state database in a folder, making both where they are missing. A file that is corrupt or of another
 * version is set aside, not deleted: all that is in it can be found out again from Git and the clusters.
 * @param onSetAside told the new name of a file that was set aside.
 * @throws FleetError ConfigInvalid when the folder cannot be written, DeadlineExceeded when others keep the file busy.
 */
export function openDatabase(stateDir: string, onSetAside: (file: string) => void): DatabaseSync {
  const file = join(stateDir, 'state.db');
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    // The key of the hashes is in it; SQLite gives its other files the same mode.
    closeSync(openSync(file, 'a', 0o600));
    return openFile(file, onSetAside);
  } catch (thrown) {
    if (thrown instanceof FleetError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const code = causeOf(thrown) === 'busy' ? 'DeadlineExceeded' : 'ConfigInvalid';
    throw new FleetError(code, `the state in ${stateDir} cannot be used: ${message}`, { cause: thrown });
  }
}

/** The database for reading alone; an empty one in memory where there is none, or none that can be read. */
export function openReadOnly(stateDir: string): DatabaseSync {
  const file = join(stateDir, 'state.db');
  if (existsSync(file)) {
    try {
      return openUnchanged(file);
    } catch {
      // Not ours to set aside: the next command that may write does that, and says so.
    }
  }
  const empty = new DatabaseSync(':memory:');
  empty.exec(schemaSql);
  return empty;
}

/** Without a log beside it nobody writes the file; said to be immutable, SQLite makes no log for a mere reader. */
function openUnchanged(file: string): DatabaseSync {
  const name = existsSync(`${file}-wal`) ? file : `${pathToFileURL(file).href}?immutable=1`;
  return checked(new DatabaseSync(name, { readOnly: true, timeout: timeoutMs }), (database) => {
    if (versionOf(database) !== schemaVersion) throw new Unusable('another version');
  });
}

function openFile(file: string, onSetAside: (file: string) => void): DatabaseSync {
  try {
    return openWritable(file);
  } catch (thrown) {
    // A busy or forbidden file is a good one: another process may be at work in it.
    if (causeOf(thrown) !== 'unusable') throw thrown;
    const aside = `${file}.unreadable-${Date.now()}`;
    for (const suffix of ['', '-wal', '-shm']) setAside(`${file}${suffix}`, `${aside}${suffix}`);
    onSetAside(aside);
    return openWritable(file);
  }
}

function openWritable(file: string): DatabaseSync {
  return checked(new DatabaseSync(file, { timeout: timeoutMs }), (database) => {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    prepareSchema(database);
    const [answer] = database.prepare('PRAGMA quick_check(1)').all();
    if (answer?.['quick_check'] !== 'ok') throw new Unusable(String(answer?.['quick_check']));
  });
}

function checked(database: DatabaseSync, check: (database: DatabaseSync) => void): DatabaseSync {
  try {
    check(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Another process may make the schema at the same moment: the check and the making are one transaction. */
function prepareSchema(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  const version = versionOf(database);
  if (version === 0) database.exec(`${schemaSql} PRAGMA user_version = ${schemaVersion};`);
  database.exec('COMMIT');
  if (version !== 0 && version !== schemaVersion) throw new Unusable(`version ${String(version)}`);
}

function versionOf(database: DatabaseSync): unknown {
  return database.prepare('PRAGMA user_version').get()?.['user_version'];
}

/** The content of the file is of no use to us. */
class Unusable extends Error {}

/** SQLite's primary result codes. Source: https://www.sqlite.org/rescode.html */
const busyCodes = [5, 6];
const corruptCodes = [11, 26];

function causeOf(thrown: unknown): 'unusable' | 'busy' | 'other' {
  if (thrown instanceof Unusable) return 'unusable';
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number')
    return 'other';
  const code = thrown.errcode & 0xff;
  if (corruptCodes.includes(code)) return 'unusable';
  return busyCodes.includes(code) ? 'busy' : 'other';
}

function setAside(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}
