import { randomBytes } from 'node:crypto';
import { type DatabaseSync, type StatementSync } from 'node:sqlite';

import { type Drift } from '../model/change.ts';
import { type Baseline } from '../model/observation.ts';
import { refKey } from '../model/object-ref.ts';
import { type ClusterState } from '../model/report.ts';
import { openDatabase, openReadOnly } from './open-database.ts';

/** What is remembered of a cluster, so that one that cannot be reached is not forgotten. */
export interface ClusterMemory {
  readonly state: ClusterState;
  readonly lastSeenAt?: string;
  readonly revision?: string;
  readonly lastSyncAt?: string;
  /** Counts of the last sync, for `status`. */
  readonly counts?: Readonly<Record<'objects' | 'drifted' | 'held' | 'failed', number>>;
  readonly message?: string;
}

/** State that survives a restart. All of it is a cache or a history: losing it costs requests, never objects. */
export interface StateStore {
  baselines(cluster: string): Map<string, Baseline>;
  saveBaselines(cluster: string, saved: readonly Baseline[], removedKeys: readonly string[]): void;
  recordDrifts(cluster: string, drifts: readonly Drift[]): void;
  /** Drifts corrected since the given time (RFC 3339), newest first. */
  correctedDrifts(cluster: string, since: string): Drift[];
  approve(holdId: string, by: string, at: string): void;
  isApproved(holdId: string): boolean;
  /** Grows with each approval, whichever process gives it. */
  approvalCount(): number;
  /** Generators that stopped matching a cluster, and since when (ms since the epoch). */
  unmatched(cluster: string): Map<string, number>;
  markUnmatched(cluster: string, generator: string, now: number): void;
  clearUnmatched(cluster: string, generator: string): void;
  memory(cluster: string): ClusterMemory | undefined;
  remember(cluster: string, memory: ClusterMemory): void;
  /** A random key that stays the same for this folder, for hashes that stand in for secret values. */
  maskKey(): string;
  close(): void;
}

/** How long the history of drift is kept, and how many entries a cluster. */
const keptDays = 30;
const keptDrifts = 10_000;

export interface StateStoreOptions {
  /** For commands that write nothing anywhere: a folder that does not exist stays so. */
  readonly readOnly?: boolean;
  /** Told the new name of a file that could not be read and was set aside. */
  readonly onSetAside?: (file: string) => void;
}

/** Opens the state kept in a folder. See openDatabase for what happens to a corrupt file. */
export function openStateStore(stateDir: string, options: StateStoreOptions = {}): StateStore {
  const readOnly = options.readOnly ?? false;
  const database = readOnly
    ? openReadOnly(stateDir)
    : openDatabase(stateDir, options.onSetAside ?? (() => undefined));
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  return {
    ...objectState(database, sql),
    ...clusterState(sql, readOnly),
    close: () => {
      database.close();
    },
  };
}

type Sql = (text: string) => StatementSync;

function objectState(
  database: DatabaseSync,
  sql: Sql,
): Pick<StateStore, 'baselines' | 'saveBaselines' | 'recordDrifts' | 'correctedDrifts'> {
  return {
    baselines(cluster) {
      const rows = sql('SELECT key, value FROM baseline WHERE cluster = ?').all(cluster);
      return new Map(rows.map((row) => [String(row['key']), parse(row['value']) as Baseline]));
    },
    saveBaselines(cluster, saved, removedKeys) {
      if (saved.length === 0 && removedKeys.length === 0) return;
      transaction(database, () => {
        const put = sql('INSERT OR REPLACE INTO baseline (cluster, key, value) VALUES (?, ?, ?)');
        for (const baseline of saved) put.run(cluster, refKey(baseline.ref), JSON.stringify(baseline));
        const remove = sql('DELETE FROM baseline WHERE cluster = ? AND key = ?');
        for (const key of removedKeys) remove.run(cluster, key);
      });
    },
    recordDrifts(cluster, drifts) {
      if (drifts.length === 0) return;
      transaction(database, () => {
        const put = sql(
          'INSERT INTO drift (cluster, key, kind, value, detected_at, corrected_at) VALUES (?, ?, ?, ?, ?, ?)',
        );
        for (const drift of drifts) {
          put.run(
            cluster,
            refKey(drift.ref),
            drift.kind,
            JSON.stringify(drift),
            drift.detectedAt,
            drift.correctedAt ?? null,
          );
        }
        const oldest = new Date(Date.now() - keptDays * 86_400_000).toISOString();
        sql('DELETE FROM drift WHERE cluster = ? AND detected_at < ?').run(cluster, oldest);
        sql(
          'DELETE FROM drift WHERE cluster = ? AND id <= (SELECT id FROM drift WHERE cluster = ? ORDER BY id DESC LIMIT 1 OFFSET ?)',
        ).run(cluster, cluster, keptDrifts);
      });
    },
    correctedDrifts(cluster, since) {
      const rows = sql(
        'SELECT value FROM drift WHERE cluster = ? AND corrected_at IS NOT NULL AND corrected_at >= ? ORDER BY id DESC',
      ).all(cluster, since);
      return rows.map((row) => parse(row['value']) as Drift);
    },
  };
}

function clusterState(
  sql: Sql,
  readOnly: boolean,
): Pick<
  StateStore,
  | 'approve'
  | 'isApproved'
  | 'approvalCount'
  | 'unmatched'
  | 'markUnmatched'
  | 'clearUnmatched'
  | 'memory'
  | 'remember'
  | 'maskKey'
> {
  return {
    approve(holdId, by, at) {
      sql('INSERT OR REPLACE INTO approval (hold_id, approved_by, approved_at) VALUES (?, ?, ?)').run(
        holdId,
        by,
        at,
      );
    },
    isApproved: (holdId) => sql('SELECT 1 FROM approval WHERE hold_id = ?').get(holdId) !== undefined,
    approvalCount: () => Number(sql('SELECT count(*) AS n FROM approval').get()?.['n']),
    unmatched(cluster) {
      const rows = sql('SELECT generator, since_ms FROM unmatched WHERE cluster = ?').all(cluster);
      return new Map(rows.map((row) => [String(row['generator']), Number(row['since_ms'])]));
    },
    markUnmatched(cluster, generator, now) {
      sql('INSERT OR IGNORE INTO unmatched (cluster, generator, since_ms) VALUES (?, ?, ?)').run(
        cluster,
        generator,
        now,
      );
    },
    clearUnmatched(cluster, generator) {
      sql('DELETE FROM unmatched WHERE cluster = ? AND generator = ?').run(cluster, generator);
    },
    memory(cluster) {
      const row = sql('SELECT value FROM cluster WHERE name = ?').get(cluster);
      return row === undefined ? undefined : (parse(row['value']) as ClusterMemory);
    },
    remember(cluster, memory) {
      sql('INSERT OR REPLACE INTO cluster (name, value) VALUES (?, ?)').run(cluster, JSON.stringify(memory));
    },
    maskKey() {
      const select = "SELECT value FROM setting WHERE name = 'mask-key'";
      const key = randomBytes(16).toString('hex');
      if (!readOnly) sql("INSERT OR IGNORE INTO setting (name, value) VALUES ('mask-key', ?)").run(key);
      return String(sql(select).get()?.['value'] ?? key);
    },
  };
}

/** Rows are written by this file alone, from values of this very type; a file of another version is never opened. */
function parse(value: unknown): unknown {
  return JSON.parse(String(value));
}

function transaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
