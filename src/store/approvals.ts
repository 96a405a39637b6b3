import { parseRow, type Sql } from './sql.ts';

/** Leave that a person gave for what was held. */
export interface GivenApproval {
  readonly holdId: string;
  /** What it released, as keys; empty until it has released anything. */
  readonly covers: readonly string[];
}

export interface Approvals {
  /** Records an approval; one that is in force already stays as it is. */
  approve(
    holdId: string,
    given: { readonly cluster: string; readonly by: string; readonly at: string },
  ): void;
  isApproved(holdId: string): boolean;
  /** Those in force for a cluster. */
  approvals(cluster: string): GivenApproval[];
  /** Keeps what an approval releases, before any of it is done: what an interruption leaves stays approved. */
  coverApproval(holdId: string, covers: readonly string[]): void;
  /** What it was for is done or gone: the same hold, should it come again, needs another. `at` is RFC 3339. */
  endApproval(holdId: string, at: string): void;
  /** Grows with each approval, whichever process gives it. */
  approvalCount(): number;
}

/** What people have approved. Every approval stays on record with who gave it, when, and when it ended. */
export function approvals(sql: Sql): Approvals {
  return {
    approve(holdId, { cluster, by, at }) {
      sql(
        `INSERT INTO approval (hold_id, cluster, approved_by, approved_at, covers) SELECT ?, ?, ?, ?, '[]'
         WHERE NOT EXISTS (SELECT 1 FROM approval WHERE hold_id = ? AND ended_at IS NULL)`,
      ).run(holdId, cluster, by, at, holdId);
    },
    isApproved: (holdId) =>
      sql('SELECT 1 FROM approval WHERE hold_id = ? AND ended_at IS NULL').get(holdId) !== undefined,
    approvals(cluster) {
      const rows = sql('SELECT hold_id, covers FROM approval WHERE cluster = ? AND ended_at IS NULL').all(
        cluster,
      );
      return rows.map((row) => ({
        holdId: String(row['hold_id']),
        covers: parseRow(row['covers']) as readonly string[],
      }));
    },
    coverApproval(holdId, covers) {
      sql('UPDATE approval SET covers = ? WHERE hold_id = ? AND ended_at IS NULL').run(
        JSON.stringify(covers),
        holdId,
      );
    },
    endApproval(holdId, at) {
      sql('UPDATE approval SET ended_at = ? WHERE hold_id = ? AND ended_at IS NULL').run(at, holdId);
    },
    approvalCount: () => Number(sql('SELECT count(*) AS n FROM approval').get()?.['n']),
  };
}
