import { type Token, TypeGuards } from 'liquidjs';

import { lineIndexOf, type Position } from '../../config/yaml/yaml-positions.ts';

/** A place in one of the files that a template is made of. */
export interface TemplatePlace extends Position {
  readonly file: string;
}

/** Where a token stands: in which text, and in which file that is. */
export interface TokenPlace {
  readonly input: string;
  readonly begin: number;
  readonly file?: string | undefined;
}

/** A piece of output and the token that wrote it. */
interface Piece {
  /** Where it begins in the output. */
  readonly start: number;
  /** The innermost token, in whichever file it stands. */
  readonly writer: Token;
  /** The innermost token of the file that is rendered: the writer, or the tag that included the writer's file. */
  readonly entry: Token;
  /** Where the writer's text stands in its file; undefined where the text is not written there as it is. */
  readonly verbatimAt: number | undefined;
}

/** Which part of a template wrote which part of the output. */
export class OutputMap {
  readonly #file: string;
  readonly #pieces: Piece[] = [];
  readonly #lines = new Map<string, (offset: number) => Position>();

  constructor(file: string) {
    this.#file = file;
  }

  /** Notes a piece of output. `trace` are the tokens being rendered, outermost first. */
  add(text: string, start: number, trace: readonly Token[]): void {
    const writer = trace.at(-1);
    if (writer === undefined) return;
    const entry = trace.findLast(({ file }) => file === this.#file) ?? writer;
    this.#pieces.push({ start, writer, entry, verbatimAt: verbatimOffset(writer, text) });
  }

  /** What wrote the character at an offset of the output: in the file that is rendered, or in the included one. */
  placeOf(offset: number, where: 'entry' | 'included'): TemplatePlace {
    const piece = this.#pieceAt(offset);
    if (piece === undefined) return { file: this.#file, line: 1, column: 1 };
    const { start, writer, entry, verbatimAt } = piece;
    const token = where === 'entry' ? entry : writer;
    if (token !== writer || verbatimAt === undefined) return this.placeOfToken(token);
    return this.#placeIn(token, verbatimAt + offset - start);
  }

  /** Where a token begins. */
  placeOfToken(token: TokenPlace): TemplatePlace {
    return this.#placeIn(token, token.begin);
  }

  #placeIn({ input, file }: TokenPlace, offset: number): TemplatePlace {
    const position = this.#lines.get(input) ?? lineIndexOf(input, { lines: 0, columns: 0 });
    this.#lines.set(input, position);
    return { file: file ?? this.#file, ...position(offset) };
  }

  #pieceAt(offset: number): Piece | undefined {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#pieces[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.#pieces[low];
  }
}

/** Plain text stands in the file as it is, and so does what follows a `raw` tag. */
function verbatimOffset(token: Token, text: string): number | undefined {
  if (TypeGuards.isHTMLToken(token)) return token.begin + token.trimLeft;
  return TypeGuards.isTagToken(token) && token.name === 'raw' && token.input.startsWith(text, token.end)
    ? token.end
    : undefined;
}
