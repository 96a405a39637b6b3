import { parseManifests } from '../config/yaml/parse-manifests.ts';
import type { Locate } from '../config/yaml/yaml-positions.ts';
import { arrayAt, type JsonValue, stringAt } from '../model/json.ts';
import type { Origin } from '../model/origin.ts';

/** An object where a file writes it out. */
export interface ObjectInFile {
  readonly value: JsonValue | undefined;
  /** Positions of the object's own fields. */
  readonly locate: Locate;
}

/**
 * The object that an origin names in the text of its file at the same revision, also as an item of a List. Undefined
 * where it is not written out there, as in a template that makes it.
 */
export function objectInFile(
  text: string,
  origin: Pick<Origin, 'file' | 'document' | 'line'>,
): ObjectInFile | undefined {
  const document = parseManifests(text, { file: origin.file }).documents.find(
    (candidate) => candidate.document === origin.document,
  );
  if (document === undefined) return undefined;
  const items = arrayAt(document.value, 'items');
  const isList = stringAt(document.value, 'kind')?.endsWith('List') === true && items.length > 0;
  if (!isList)
    return document.line === origin.line ? { value: document.value, locate: document.locate } : undefined;
  const index = items.findIndex((_, item) => document.locate(['items', item]).line === origin.line);
  if (index < 0) return undefined;
  return {
    value: items[index],
    locate: (path, part) => document.locate(['items', index, ...path], part),
  };
}
