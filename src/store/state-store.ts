import { randomBytes } from 'node:crypto';
import { type DatabaseSync, type StatementSync } from 'node:sqlite';

import { type Drift } from '../model/change.ts';
import { type Baseline } from '../model/observation.ts';
import { refKey } from '../model/object-ref.ts';
import { type ClusterState } from '../model/report.ts';
import { openDatabase } from './open-database.ts';

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
  /** Since when (ms since the epoch) a generator does not match a cluster; the first call sets it. */
  unmatchedSince(cluster: string, generator: string, now: number): number;
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

/** Opens the state kept in a folder. See openDatabase for what happens to a corrupt file. */
export function openStateStore(
  stateDir: string,
  onSetAside: (file: string) => void = () => undefined,
): StateStore {
  const database = openDatabase(stateDir, onSetAside);
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  return {
    ...objectState(database, sql),
    ...clusterState(sql),
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
      return new Map(rows.map((row) => [String(row['key']), parse<Baseline>(row['value'])]));
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
      return rows.map((row) => parse<Drift>(row['value']));
    },
  };
}

function clusterState(
  sql: Sql,
): Pick<
  StateStore,
  'approve' | 'isApproved' | 'unmatchedSince' | 'clearUnmatched' | 'memory' | 'remember' | 'maskKey'
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
    unmatchedSince(cluster, generator, now) {
      sql('INSERT OR IGNORE INTO unmatched (cluster, generator, since_ms) VALUES (?, ?, ?)').run(
        cluster,
        generator,
        now,
      );
      return Number(
        sql('SELECT since_ms FROM unmatched WHERE cluster = ? AND generator = ?').get(cluster, generator)?.[
          'since_ms'
        ] ?? now,
      );
    },
    clearUnmatched(cluster, generator) {
      sql('DELETE FROM unmatched WHERE cluster = ? AND generator = ?').run(cluster, generator);
    },
    memory(cluster) {
      const row = sql('SELECT value FROM cluster WHERE name = ?').get(cluster);
      return row === undefined ? undefined : parse<ClusterMemory>(row['value']);
    },
    remember(cluster, memory) {
      sql('INSERT OR REPLACE INTO cluster (name, value) VALUES (?, ?)').run(cluster, JSON.stringify(memory));
    },
    maskKey() {
      sql("INSERT OR IGNORE INTO setting (name, value) VALUES ('mask-key', ?)").run(
        randomBytes(16).toString('hex'),
      );
      return String(sql("SELECT value FROM setting WHERE name = 'mask-key'").get()?.['value']);
    },
  };
}

/** Rows are written by this file alone, from values of this very type; a file of another version is never opened. */
function parse<T>(value: unknown): T {
  return JSON.parse(String(value)) as T;
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
