import { jsonStarts } from './json-stream.ts';
import { type Before, lineStarts } from './yaml-positions.ts';

/** A part of a file that holds one document, as a rule, and where it begins in the file. */
export interface YamlChunk {
  readonly text: string;
  readonly before: Before;
  /** It is JSON by the letter, where more characters are allowed than in YAML. */
  readonly isJson: boolean;
}

// Not the flag m: with it '^' and '$' also match at U+2028 and U+2029, which may stand in JSON.
const marker = /(?<![^\r\n])\uFEFF?---(?![^ \t\r\n#])/g;

/**
 * Splits a YAML stream at its document markers, so that a syntax error in one document hides no other. A marker at
 * the start of a line ends a document wherever it stands, even inside a block scalar, so splitting by line is exact.
 * JSON objects that follow one another are taken apart, too. Byte order marks at the start of a document are dropped,
 * as joined files have them there.
 */
export function* splitYamlStream(text: string): Generator<YamlChunk> {
  let directives = '';
  let lines = 0;
  for (const part of partsOf(text)) {
    const count = lineStarts(part).length - 1;
    if (directives === '' && holdsOnlyDirectives(part)) {
      directives = part;
    } else {
      const before = {
        lines: directives === '' ? lines : lines - (lineStarts(directives).length - 1),
        columns: 0,
      };
      yield* separateJson({ text: directives + asDocument(part), before, isJson: false });
      directives = '';
    }
    lines += count;
  }
}

function* partsOf(text: string): Generator<string> {
  let start = 0;
  for (const { index } of text.matchAll(marker)) {
    if (index > 0) yield text.slice(start, index);
    start = index;
  }
  yield text.slice(start);
}

/** Lines that only declare something about the document whose marker follows. Line by line, so that no input makes it slow. */
function holdsOnlyDirectives(part: string): boolean {
  if (!part.includes('%') || part.startsWith('---')) return false;
  let found = false;
  for (const line of part.split('\n')) {
    const isDirective = line.startsWith('%');
    if (!isDirective && !/^\s*(#|$)/.test(line)) return false;
    found ||= isDirective;
  }
  return found;
}

/** Without byte order marks; and a comment may follow a marker at once, as kubectl has it. */
function asDocument(part: string): string {
  return part
    .replace(/^\uFEFF/, '')
    .replace(/^---#/, '--- #')
    .replace(/^(---[^\r\n]*[\r\n])\uFEFF/, '$1');
}

function* separateJson(chunk: YamlChunk): Generator<YamlChunk> {
  const { text, before } = chunk;
  const start = /^---[ \t]*[\r\n]/.exec(text)?.[0].length ?? 0;
  const objects = jsonStarts(text, start);
  if (objects === undefined) {
    yield chunk;
    return;
  }
  let { lines, columns } = before;
  let done = 0;
  for (const [index] of objects.entries()) {
    const piece = text.slice(done, objects[index + 1]);
    yield { text: piece, before: { lines, columns }, isJson: true };
    const starts = lineStarts(piece);
    columns = starts.length > 1 ? piece.length - (starts.at(-1) ?? 0) : columns + piece.length;
    lines += starts.length - 1;
    done += piece.length;
  }
}
