import { neutralise } from '../../model/neutralise.ts';

/**
 * A Markdown code span around any text. Inside one nothing is markup, a mention or a link, whatever a cluster's
 * object says; the fence grows beyond the backticks in it.
 * Source: GitHub Flavored Markdown, 6.1 Code spans.
 */
export function codeSpan(text: string): string {
  const safe = neutralise(text);
  if (safe === '') return '';
  const longest = (safe.match(/`+/g) ?? []).reduce((max, run) => Math.max(max, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const pad = safe.startsWith('`') || safe.endsWith('`') || safe.trim() === '' ? ' ' : '';
  return `${fence}${pad}${safe}${pad}${fence}`;
}

/** A code element, for inside HTML: every character that could be markup, a mention or a link is a reference. */
export function htmlCode(text: string): string {
  const inert = neutralise(text).replace(
    /[^\p{L}\p{N}\p{M} ._-]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  );
  return `<code>${inert}</code>`;
}

/**
 * A row of a table. Cells are Markdown already, but pipes in them are not: a table's row is split before its code
 * spans are seen, at every pipe that has an even number of backslashes before it.
 * Source: GitHub Flavored Markdown, 4.10 Tables.
 */
export function tableRow(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => escapePipes(String(cell))).join(' | ')} |`;
}

function escapePipes(cell: string): string {
  return cell.replace(
    /(\\*)\|/g,
    (_, before: string) => `${before}${before.length % 2 === 0 ? '' : '\\'}\\|`,
  );
}

/** A table's head with the line below it. */
export function tableHead(titles: readonly string[]): string[] {
  return [tableRow(titles), tableRow(titles.map(() => '---'))];
}
