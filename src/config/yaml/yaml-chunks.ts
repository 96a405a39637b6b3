/** A part of a file between two document markers, and where it begins in the file. */
export interface YamlChunk {
  readonly text: string;
  /** Lines of the file before this chunk. */
  readonly lineOffset: number;
}

const marker = /^\uFEFF?---(?=[ \t\r\n]|$)/gm;
const onlyDirectives = /^(?:\s*(?:#[^\n]*)?(?:\n|$)|%[^\n]*(?:\n|$))*$/;

/**
 * Splits a YAML stream at its document markers, so that a syntax error in one document hides no other. A marker at
 * the start of a line ends a document wherever it stands, even inside a block scalar, so splitting by line is exact.
 * Byte order marks at the start of a document are dropped, as joined files have them there.
 */
export function splitYamlStream(text: string): YamlChunk[] {
  const starts = [
    0,
    ...Array.from(text.matchAll(marker), (match) => match.index).filter((index) => index > 0),
  ];
  const chunks: YamlChunk[] = [];
  let lineOffset = 0;
  let directives = '';
  for (const [index, start] of starts.entries()) {
    const part = text.slice(start, starts[index + 1]);
    const lines = countLineBreaks(part);
    if (directives === '' && part.includes('%') && !part.startsWith('---') && onlyDirectives.test(part)) {
      directives = part;
    } else {
      const offset = directives === '' ? lineOffset : lineOffset - countLineBreaks(directives);
      chunks.push({ text: directives + withoutByteOrderMark(part), lineOffset: offset });
      directives = '';
    }
    lineOffset += lines;
  }
  return chunks;
}

function withoutByteOrderMark(part: string): string {
  return part.replace(/^\uFEFF/, '').replace(/^(---[^\r\n]*(?:\r\n|\r|\n))\uFEFF/, '$1');
}

function countLineBreaks(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
