import type { Drift } from '../model/change.ts';
import type { Baseline } from '../model/observation.ts';
import { refKey } from '../model/object-ref.ts';
import { inTransaction, parseRow, type Sql } from './sql.ts';
import type { StateStore } from './state-store.ts';

/** How long the history of drift is kept, counted back from its newest entry, and how many entries a cluster. */
const keptMs = 30 * 86_400_000;
const keptDrifts = 10_000;

type ObjectState = Pick<StateStore, 'baselines' | 'saveBaselines' | 'recordDrifts' | 'correctedDrifts'>;

/** What is kept of single objects: how our last write left them, and the history of drift. */
export function objectState(sql: Sql): ObjectState {
  return {
    baselines(cluster) {
      const rows = sql('SELECT key, value FROM baseline WHERE cluster = ?').all(cluster);
      return new Map(rows.map((row) => [String(row['key']), parseRow(row['value']) as Baseline]));
    },
    saveBaselines(cluster, saved, removedKeys) {
      if (saved.length === 0 && removedKeys.length === 0) return;
      inTransaction(sql, () => {
        const put = sql('INSERT OR REPLACE INTO baseline (cluster, key, value) VALUES (?, ?, ?)');
        const remove = sql('DELETE FROM baseline WHERE cluster = ? AND key = ?');
        for (const key of removedKeys) remove.run(cluster, key);
        for (const baseline of saved) put.run(cluster, refKey(baseline.ref), JSON.stringify(baseline));
      });
    },
    recordDrifts(cluster, drifts) {
      if (drifts.length === 0) return;
      inTransaction(sql, () => {
        for (const drift of drifts) insertDrift(sql, cluster, drift);
        trimHistory(sql, cluster);
      });
    },
    correctedDrifts(cluster, since) {
      const rows = sql(
        'SELECT value FROM drift WHERE cluster = ? AND corrected_at IS NOT NULL AND corrected_at >= ? ORDER BY id DESC',
      ).all(cluster, since);
      return rows.map((row) => parseRow(row['value']) as Drift);
    },
  };
}

function insertDrift(sql: Sql, cluster: string, drift: Drift): void {
  sql(
    'INSERT INTO drift (cluster, key, kind, value, detected_at, corrected_at) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(
    cluster,
    refKey(drift.ref),
    drift.kind,
    JSON.stringify(drift),
    drift.detectedAt,
    drift.correctedAt ?? null,
  );
}

function trimHistory(sql: Sql, cluster: string): void {
  const newest = sql('SELECT max(detected_at) AS at FROM drift WHERE cluster = ?').get(cluster)?.['at'];
  const oldest = new Date(Date.parse(String(newest)) - keptMs).toISOString();
  sql('DELETE FROM drift WHERE cluster = ? AND detected_at < ?').run(cluster, oldest);
  sql(
    'DELETE FROM drift WHERE cluster = ? AND id <= (SELECT id FROM drift WHERE cluster = ? ORDER BY id DESC LIMIT 1 OFFSET ?)',
  ).run(cluster, cluster, keptDrifts);
}
