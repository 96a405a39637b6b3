import { EVENT_ID, type Event } from 'js-yaml';

import type { JsonValue } from '../../model/json.ts';
import type { YamlChunk } from './yaml-chunks.ts';
import {
  type AliasBudget,
  type ComposeFault,
  DocumentComposer,
  type DocumentEvents,
} from './yaml-compose.ts';
import { type MendBudget, readYamlEvents } from './yaml-events.ts';
import { lineIndexOf, type Locate, locator, type Position } from './yaml-positions.ts';

/** What may still be spent on one file. */
export interface ReadBudgets {
  readonly mends: MendBudget;
  readonly aliases: AliasBudget;
}

interface ReadDocument {
  /** null where there are faults, too. */
  readonly value: JsonValue;
  /** Offsets in the chunk. */
  readonly faults: readonly ComposeFault[];
  readonly locate: Locate;
}

/** The documents of a chunk; one with a fault that spoils it all is one document. */
export function readChunk(
  chunk: YamlChunk,
  budgets: ReadBudgets,
): { readonly documents: readonly ReadDocument[]; readonly lineAt: (offset: number) => Position } {
  const lineAt = lineIndexOf(chunk.text, chunk.before);
  const broken = (fault: ComposeFault): ReadDocument => ({
    value: null,
    faults: [fault],
    locate: () => lineAt(fault.offset),
  });
  if (isTooMuch(chunk.text)) return { documents: [broken(tooMuch)], lineAt };
  const forbidden = chunk.isJson ? undefined : forbiddenCharacter(chunk.text);
  if (forbidden !== undefined) return { documents: [broken(forbidden)], lineAt };
  const read = readYamlEvents(chunk.text, budgets.mends);
  if (!read.ok) return { documents: [broken(read)], lineAt };
  const { text, toOriginal } = read;
  const position = (offset: number): Position => lineAt(toOriginal(offset));
  const documents = documentsOf(read.events).map((document) => {
    const composer = new DocumentComposer(text, document, budgets.aliases);
    const value = composer.compose();
    const faults = composer.faults.map(({ message, offset }) => ({ message, offset: toOriginal(offset) }));
    return { value, faults, locate: locator(text, document.events, position) };
  });
  return { documents, lineAt };
}

/** Bounds the memory for a document, which a parser needs many times over: 'a:,' is three values to it. */
const maxMarks = 1_500_000;
const tooMuch: ComposeFault = {
  message: `the document holds too many values: more than ${maxMarks} of the characters , : [ { and line ends`,
  offset: 0,
};

function isTooMuch(text: string): boolean {
  let marks = 0;
  for (let index = 0; index < text.length && text.length > maxMarks; index++) {
    const code = text.charCodeAt(index);
    if (code === 10 || code === 44 || code === 58 || code === 91 || code === 123) marks++;
  }
  return marks > maxMarks;
}

// What YAML forbids, and the line ends of YAML 1.1, which break a line for kubectl but not for YAML 1.2.
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/;

function forbiddenCharacter(text: string): ComposeFault | undefined {
  const match = forbidden.exec(text);
  if (match === null) return undefined;
  const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const message = `the character U+${code} cannot stand in YAML as it is; write \\u${code} in double quotes`;
  return { message, offset: match.index };
}

function documentsOf(events: readonly Event[]): DocumentEvents[] {
  const documents: DocumentEvents[] = [];
  let start = 0;
  let depth = 0;
  for (const [index, event] of events.entries()) {
    if (event.type === EVENT_ID.POP) depth--;
    else if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) depth++;
    if (event.type === EVENT_ID.DOCUMENT) start = index;
    if (depth > 0 || event.type !== EVENT_ID.POP) continue;
    const first = events[start];
    const directives = first?.type === EVENT_ID.DOCUMENT ? first.directives : [];
    const handles = directives.flatMap((item) =>
      item.kind === 'tag' ? [[item.handle, item.prefix] as const] : [],
    );
    documents.push({ events: events.slice(start + 1, index), tagHandles: new Map(handles) });
  }
  return documents;
}
