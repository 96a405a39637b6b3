import { EVENT_ID, type Event, parseEvents, YAMLException } from 'js-yaml';

import { FleetError } from '../../model/fleet-error.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';
import { splitYamlStream, type YamlChunk } from './yaml-chunks.ts';
import { DocumentComposer } from './yaml-compose.ts';
import { lineIndexOf, type Locate, locator, type Position } from './yaml-positions.ts';

/** One document of a file that holds a map. */
export interface YamlDocument extends YamlValue {
  readonly value: JsonObject;
}

/** One document of a file, whatever it holds but null. */
export interface YamlValue {
  readonly value: JsonValue;
  /** Counts from 1; documents that hold nothing are counted, too, so that the number agrees with the file. */
  readonly document: number;
  /** Where the value starts. */
  readonly line: number;
  readonly locate: Locate;
}

export interface ParsedManifests {
  readonly documents: readonly YamlDocument[];
  readonly faults: readonly FleetError[];
}

export interface ParseContext {
  readonly file: string;
  /** What the file belongs to; see Origin. */
  readonly generator?: string;
  /** The code of every fault; ManifestInvalid unless given. */
  readonly code?: ErrorCode;
}

const maxDepth = 100;

/**
 * Reads a YAML (or JSON) file of any number of documents exactly as kubectl would, and finds every fault in it.
 * Documents that hold nothing (empty, comments, null) are skipped; a broken one hides no other. Never throws.
 */
export function parseManifests(text: string, context: ParseContext): ParsedManifests {
  const { values, faults } = readValues(text, context, { mapsOnly: true });
  // Whatever is no map is among the faults.
  return { documents: values as YamlDocument[], faults };
}

export interface ParsedYaml {
  readonly values: readonly YamlValue[];
  readonly faults: readonly FleetError[];
}

/** As parseManifests, for files that may hold something else than maps. */
export function parseYaml(text: string, context: ParseContext): ParsedYaml {
  return readValues(text, context, { mapsOnly: false });
}

function readValues(
  text: string,
  context: ParseContext,
  { mapsOnly }: { readonly mapsOnly: boolean },
): ParsedYaml {
  const values: YamlValue[] = [];
  const faults: FleetError[] = [];
  let count = 0;
  for (const chunk of splitYamlStream(text)) {
    const position = lineIndexOf(chunk.text, chunk.lineOffset);
    const fault = (message: string, at: Position, document: number): void => {
      faults.push(faultAt(message, context, { document, at }));
    };
    const parts = readEvents(chunk, (message, offset) => {
      fault(message, position(offset), count + 1);
    });
    // A document that cannot be read still counts as one.
    if (parts === undefined) count++;
    for (const { events, tagHandles } of parts ?? []) {
      count++;
      const document = count;
      const composer = new DocumentComposer(chunk.text, events, tagHandles);
      const value = composer.compose();
      for (const found of composer.faults) fault(found.message, position(found.offset), document);
      if (composer.faults.length > 0 || value === null) continue;
      const locate = locator(chunk.text, events, position);
      if (mapsOnly && !isJsonObject(value))
        fault(`expected a map, found ${nameOfType(value)}`, locate([]), document);
      else values.push({ value, document, line: locate([]).line, locate });
    }
  }
  return { values, faults };
}

function faultAt(
  message: string,
  { file, generator = '', code = 'ManifestInvalid' }: ParseContext,
  { document, at }: { readonly document: number; readonly at: Position },
): FleetError {
  const origin = { generator, file, document, line: at.line, column: at.column };
  return new FleetError(code, message, { origin });
}

interface DocumentEvents {
  readonly events: readonly Event[];
  readonly tagHandles: ReadonlyMap<string, string>;
}

/** The events of each document in a chunk; undefined after a syntax error. */
function readEvents(
  chunk: YamlChunk,
  fault: (message: string, offset: number) => void,
): DocumentEvents[] | undefined {
  try {
    return documentsOf(parseEvents(chunk.text, { maxDepth }));
  } catch (error) {
    if (error instanceof YAMLException) fault(error.reason, error.mark?.position ?? 0);
    else fault(error instanceof Error ? error.message : String(error), 0);
    return undefined;
  }
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

function nameOfType(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
