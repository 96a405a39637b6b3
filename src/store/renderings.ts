import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

import { inTransaction, type Sql } from './sql.ts';

/** Bytes of results that are kept, compressed. */
const maxBytes = 64 * 1024 * 1024;
const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export interface Renderings {
  /** A result that was kept under a name made of all that decides it. */
  rendering(name: string): string | undefined;
  /** Keeps a result; the ones that were not used for longest make room. */
  keepRendering(name: string, text: string): void;
}

/** What programs rendered, so that a restart need not run them again. In a folder that is only read, nothing is kept. */
export function renderings(sql: Sql, readOnly: boolean): Renderings {
  return {
    rendering(name) {
      const value = sql('SELECT value FROM rendering WHERE name = ?').get(name)?.['value'];
      if (!(value instanceof Uint8Array)) return undefined;
      if (!readOnly) sql(`UPDATE rendering SET turn = ${nextTurn} WHERE name = ?`).run(name);
      return brotliDecompressSync(value).toString();
    },
    keepRendering(name, text) {
      if (readOnly) return;
      const value = brotliCompressSync(text, options);
      if (value.length > maxBytes) return;
      inTransaction(sql, () => {
        sql(`INSERT OR REPLACE INTO rendering (name, value, turn) VALUES (?, ?, ${nextTurn})`).run(
          name,
          value,
        );
        makeRoom(sql);
      });
    },
  };
}

/** Order of use, without a clock. */
const nextTurn = '(SELECT coalesce(max(turn), 0) + 1 FROM rendering)';

function makeRoom(sql: Sql): void {
  sql(
    `DELETE FROM rendering WHERE turn < (
       SELECT coalesce(min(turn), 0) FROM (
         SELECT turn, sum(length(value)) OVER (ORDER BY turn DESC) AS bytes FROM rendering
       ) WHERE bytes <= ?
     )`,
  ).run(maxBytes);
}
