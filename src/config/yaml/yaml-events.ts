import { type Event, parseEvents, YAMLException } from 'js-yaml';

import type { ComposeFault } from './yaml-compose.ts';

/** The events of a text, which point into `text`: the one that was given, or one mended. */
export interface TextEvents {
  readonly ok: true;
  readonly text: string;
  readonly events: readonly Event[];
  /** The offset in the text that was given. */
  readonly toOriginal: (offset: number) => number;
}

/** How many characters may be read again after mends, for all documents of a file together. */
export interface MendBudget {
  left: number;
}

/** An insertion, or with a negative `added` a removal, at an offset of the original text. */
interface Edit {
  readonly at: number;
  readonly added: number;
}

const maxDepth = 100;

/**
 * Parses a text into events. What kubectl's parser takes and YAML 1.2 forbids is mended first: closing brackets and
 * lines of quoted text at the left margin, tabs as space between tokens, '#' right after a token, and \' in double
 * quotes. A mend is made only where the parser stopped for that very reason, so it never touches what reads well.
 */
export function readYamlEvents(
  text: string,
  budget: MendBudget,
): TextEvents | ({ readonly ok: false } & ComposeFault) {
  const edits: Edit[] = [];
  // kubectl takes space at the very end for a line, which counts in a block scalar that keeps its line breaks.
  let current = /^[ \t]+$/.test(text.slice(text.lastIndexOf('\n') + 1)) ? `${text}\n` : text;
  let first: ComposeFault | undefined;
  for (;;) {
    const result = parse(current);
    const original = (offset: number): number => Math.min(toOriginal(edits, offset), text.length);
    if (result.ok) return { ...result, text: current, toOriginal: original };
    first ??= { message: result.message, offset: original(result.offset) };
    const edit = mendOf(current, result);
    budget.left -= edit === undefined ? 0 : current.length;
    const at = edit === undefined ? 0 : original(edit.at);
    // Each mend lies behind the last, so that this ends.
    if (edit === undefined || budget.left < 0 || at <= (edits.at(-1)?.at ?? -1))
      return { ok: false, ...first };
    current = current.slice(0, edit.at) + edit.insert + current.slice(edit.at + edit.remove);
    edits.push({ at, added: edit.insert.length - edit.remove });
  }
}

type Parsed =
  { readonly ok: true; readonly events: readonly Event[] } | ({ readonly ok: false } & ComposeFault);

function parse(text: string): Parsed {
  try {
    return { ok: true, events: parseEvents(text, { maxDepth }) };
  } catch (error) {
    if (error instanceof YAMLException)
      return { ok: false, message: error.reason, offset: error.mark?.position ?? 0 };
    return { ok: false, message: error instanceof Error ? error.message : String(error), offset: 0 };
  }
}

const tooLittleIndent = 'deficient indentation';

interface Mend {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

function mendOf(text: string, { message, offset }: ComposeFault): Mend | undefined {
  if (message === tooLittleIndent) return mendOfIndent(text, offset);
  const character = text[offset];
  if (character === '#' && !/\s/.test(text[offset - 1] ?? ' ')) return { at: offset, remove: 0, insert: ' ' };
  if (message === 'unknown escape sequence' && character === "'")
    return { at: offset - 1, remove: 1, insert: '' };
  return undefined;
}

/** Inside of brackets and quotes the space before a line means nothing, so more of it does no harm. */
function mendOfIndent(text: string, offset: number): Mend | undefined {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  const before = text.slice(lineStart, offset);
  if (/^[ \t]*$/.test(before))
    return { at: lineStart, remove: 0, insert: ' '.repeat(deepestIndent(text) + 1) };
  const tab = before.indexOf('\t');
  // In quotes a tab is text.
  return tab < 0 || /["']/.test(before) ? undefined : { at: lineStart + tab, remove: 1, insert: ' ' };
}

/** How far to the right the marks of block collections stand at most. */
function deepestIndent(text: string): number {
  let deepest = 0;
  for (const [indent] of text.matchAll(/(?<![^\r\n])[ ?:-]+/g)) deepest = Math.max(deepest, indent.length);
  return deepest;
}

function toOriginal(edits: readonly Edit[], offset: number): number {
  let shift = 0;
  for (const { at, added } of edits) {
    if (offset < at + shift) break;
    if (added > 0 && offset < at + shift + added) return at;
    shift += added;
  }
  return offset - shift;
}
