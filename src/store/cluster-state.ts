import { randomBytes } from 'node:crypto';

import type { ServerFacts } from '../model/server-facts.ts';
import { parseRow, type Sql } from './sql.ts';
import type { ClusterMemory, StateStore } from './state-store.ts';

type ClusterState = Pick<
  StateStore,
  'unmatched' | 'markUnmatched' | 'clearUnmatched' | 'memory' | 'remember' | 'serverFacts' | 'saveServerFacts'
>;

/** What is kept of whole clusters. */
export function clusterState(sql: Sql): ClusterState {
  return {
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
      return row === undefined ? undefined : (parseRow(row['value']) as ClusterMemory);
    },
    remember(cluster, memory) {
      sql('INSERT OR REPLACE INTO cluster (name, value) VALUES (?, ?)').run(cluster, JSON.stringify(memory));
    },
    serverFacts(cluster) {
      const row = sql('SELECT facts FROM server WHERE cluster = ?').get(cluster);
      return row === undefined ? undefined : (parseRow(row['facts']) as ServerFacts);
    },
    saveServerFacts(cluster, facts) {
      sql('INSERT OR REPLACE INTO server (cluster, facts) VALUES (?, ?)').run(cluster, JSON.stringify(facts));
    },
  };
}

/** The key of this folder, made when it is first asked for; in a folder that is only read, one for this time alone. */
export function maskKeyOf(sql: Sql, readOnly: boolean): () => string {
  let known: string | undefined;
  const read = (): string | undefined => {
    const row = sql("SELECT value FROM setting WHERE name = 'mask-key'").get();
    return row === undefined ? undefined : String(row['value']);
  };
  return () => {
    if (known !== undefined) return known;
    const fresh = randomBytes(16).toString('hex');
    if (!readOnly && read() === undefined)
      sql("INSERT OR IGNORE INTO setting (name, value) VALUES ('mask-key', ?)").run(fresh);
    return (known = read() ?? fresh);
  };
}
