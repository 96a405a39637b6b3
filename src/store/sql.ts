import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Statements of one database, each prepared once. */
export type Sql = (text: string) => StatementSync;

export function prepareOnce(database: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
}

/** Does all of the work or, when it throws, none of it. */
export function inTransaction(sql: Sql, work: () => void): void {
  sql('BEGIN IMMEDIATE').run();
  try {
    work();
    sql('COMMIT').run();
  } catch (error) {
    try {
      sql('ROLLBACK').run();
    } catch {
      // A full disk has ended the transaction already; what caused that is the error to tell.
    }
    throw error;
  }
}

/** Rows are written by this folder alone, from values of the type read; a file of another version is never opened. */
export function parseRow(value: unknown): unknown {
  return JSON.parse(String(value));
}
