import { parseManifests } from '../config/yaml/parse-manifests.ts';
import type { JsonValue } from '../model/json.ts';

export type YamlText =
  { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly message: string };

/** Reads YAML that stands as a text inside of a document, with our one dialect. Nothing in it is {}. */
export function parseYamlText(text: string): YamlText {
  const body = text.replace(/^\s*---[^\n]*\n/, '');
  // The reader takes maps alone: as the value of a key anything can be read.
  const wrapped = `value:\n${body.replace(/^/gm, ' ')}`;
  const { documents, faults } = parseManifests(wrapped, { file: '' });
  const [fault] = faults;
  if (fault !== undefined) return { ok: false, message: fault.message };
  if (documents.length > 1) return { ok: false, message: 'it holds several documents' };
  return { ok: true, value: documents[0]?.value['value'] ?? {} };
}
