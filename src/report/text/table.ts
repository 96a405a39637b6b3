import { paintWith, type Span, spansWidth, type SpanText, toSpans } from './styled-text.ts';

/** One line of output: its cells start at columns that all rows of the table share. */
export interface Row {
  readonly indent: number;
  readonly cells: readonly SpanText[];
}

export interface TableOptions {
  readonly color: boolean;
  readonly width: number;
}

const gap = 2;

/**
 * Lays rows out in columns, without borders and without trailing blanks. A cell too long for its column pushes the
 * next ones; a last cell that would pass the width moves up to the one before, or else below its row. A row of one
 * cell takes no part in the columns.
 */
export function layOut(rows: readonly Row[], options: TableOptions): string[] {
  const measured = rows.map(({ indent, cells }) => ({ indent, cells: cells.map(toSpans) }));
  const starts = columnStarts(measured, options.width);
  const paint = paintWith(options.color);
  return measured.flatMap((row) => layOutRow(row, { starts, paint, width: options.width }));
}

interface MeasuredRow {
  readonly indent: number;
  readonly cells: readonly (readonly Span[])[];
}

/** Where each column starts. One very long cell must not move the columns of all others out of sight. */
function columnStarts(rows: readonly MeasuredRow[], width: number): number[] {
  const columns = largest(rows.map((row) => row.cells.length));
  const starts = [0];
  for (let column = 1; column < columns; column += 1) {
    const previous = starts[column - 1] ?? 0;
    const limit = previous + Math.max(20, Math.floor(width * 0.45));
    const ends = rows
      .filter((row) => row.cells.length > column)
      .map((row) => (column === 1 ? row.indent : previous) + spansWidth(row.cells[column - 1] ?? []))
      .filter((end) => end <= limit);
    starts.push(Math.max(previous, largest(ends)) + gap);
  }
  return starts;
}

/** Math.max takes its numbers as arguments, of which a report on 100,000 objects has too many. */
function largest(numbers: readonly number[]): number {
  return numbers.reduce((max, each) => Math.max(max, each), 0);
}

interface RowOptions {
  readonly starts: readonly number[];
  readonly paint: (spans: readonly Span[]) => string;
  readonly width: number;
}

function layOutRow({ indent, cells }: MeasuredRow, { starts, paint, width }: RowOptions): string[] {
  let line = ' '.repeat(indent);
  let position = indent;
  const below: string[] = [];
  cells.forEach((cell, column) => {
    if (cell.length === 0) return;
    const close = column === 0 ? indent : position + gap;
    const aligned = Math.max(starts[column] ?? 0, close);
    const fits = (start: number): boolean => start + spansWidth(cell) <= width;
    const isLast = column > 0 && column === cells.length - 1;
    if (isLast && !fits(close)) {
      below.push(' '.repeat(indent + 2 * gap) + paint(cell));
      return;
    }
    const start = column === 0 || (isLast && !fits(aligned)) ? close : aligned;
    line += ' '.repeat(start - position) + paint(cell);
    position = start + spansWidth(cell);
  });
  return [line, ...below];
}
