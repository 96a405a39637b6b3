import { FleetError } from '../../model/fleet-error.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';
import { readChunk } from './read-chunk.ts';
import { splitYamlStream } from './yaml-chunks.ts';
import type { Locate, Position } from './yaml-positions.ts';

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

/** A file with more faults is broken as a whole; a list of thousands helps nobody. */
const maxFaults = 100;
/** No file of the size that is read holds more objects; bounds the work on hostile ones. */
const maxDocuments = 50_000;

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
  const budgets = { mends: { left: 16 * 1024 * 1024 }, aliases: { left: 12 * 1024 * 1024 } };
  let document = 0;
  for (const chunk of splitYamlStream(text.replaceAll('\r\n', '\n'))) {
    const { lineAt, ...read } = readChunk(chunk, budgets);
    const fault = (message: string, at: Position): void => {
      faults.push(faultAt(message, context, { document, at }));
    };
    for (const found of read.documents) {
      document++;
      for (const { message, offset } of found.faults) fault(message, lineAt(offset));
      if (found.faults.length > 0 || found.value === null) continue;
      const { value, locate } = found;
      if (mapsOnly && !isJsonObject(value)) fault(`expected a map, found ${nameOfType(value)}`, locate([]));
      else values.push({ value, document, line: locate([]).line, locate });
    }
    const limit = limitReached(faults, document);
    if (limit !== undefined) {
      fault(`${limit}; the rest of the file is not read`, lineAt(chunk.text.length));
      break;
    }
  }
  return { values, faults };
}

function limitReached(faults: readonly FleetError[], documents: number): string | undefined {
  if (faults.length > maxFaults) return `more than ${maxFaults} faults`;
  return documents >= maxDocuments ? `${maxDocuments} documents in one file` : undefined;
}

const maxMessage = 500;

/** A message that quotes a file stays readable, whatever the file holds. */
export function briefly(message: string): string {
  return message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message;
}

function faultAt(
  message: string,
  { file, generator = '', code = 'ManifestInvalid' }: ParseContext,
  { document, at }: { readonly document: number; readonly at: Position },
): FleetError {
  const origin = { generator, file, document, line: at.line, column: at.column };
  return new FleetError(code, briefly(message), { origin });
}

function nameOfType(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
