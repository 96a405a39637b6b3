import { parseManifests } from '../config/yaml/parse-manifests.ts';
import { arrayAt, isJsonObject, type JsonValue, stringAt } from '../model/json.ts';
import type { Origin } from '../model/origin.ts';

/**
 * The line of a field in the file that an object comes from, or of its nearest ancestor that the file writes out.
 * `path` is as in FieldDifference; `text` is the file's text at the same revision. Undefined where the object is not
 * found, as in a template's source.
 */
export function lineOfField(text: string, origin: Origin, path: string): number | undefined {
  const document = parseManifests(text, { file: origin.file }).documents.find(
    (candidate) => candidate.document === origin.document,
  );
  if (document === undefined) return undefined;
  const items = arrayAt(document.value, 'items');
  const isList = stringAt(document.value, 'kind')?.endsWith('List') === true && items.length > 0;
  const index = isList
    ? items.findIndex((_, item) => document.locate(['items', item]).line === origin.line)
    : -1;
  if (isList ? index < 0 : document.line !== origin.line) return undefined;
  const start = isList ? ['items', index] : [];
  const object = isList ? items[index] : document.value;
  return document.locate([...start, ...stepsOf(path, object)], 'key').line;
}

const step = /\.([^.[\]]+)|\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]|\[([^\]]*)\]/y;

/** '.spec.containers[name=web].image' as keys and indexes of the object. Ends where the object has no such item. */
function stepsOf(path: string, object: JsonValue | undefined): (string | number)[] {
  const steps: (string | number)[] = [];
  let current: JsonValue | undefined = object;
  step.lastIndex = 0;
  for (let match = step.exec(path); match !== null; match = step.exec(path)) {
    const [, word, quoted, index, keys] = match;
    const next =
      word ??
      (quoted === undefined ? undefined : String(JSON.parse(quoted))) ??
      (index === undefined ? findItem(current, keys ?? '') : Number(index));
    if (next === undefined) break;
    steps.push(next);
    current = isJsonObject(current)
      ? current[String(next)]
      : Array.isArray(current)
        ? current[Number(next)]
        : undefined;
  }
  return steps;
}

/** The index of the item that has all the values in 'name=web' or 'containerPort=80,protocol=TCP'. */
function findItem(list: JsonValue | undefined, keys: string): number | undefined {
  if (!Array.isArray(list)) return undefined;
  const wanted = keys
    .split(',')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
  const matches = (item: JsonValue): boolean =>
    isJsonObject(item) &&
    wanted.every(([key, value]) => JSON.stringify(item[key]) === value || item[key] === value);
  const found = list.findIndex(matches);
  return found < 0 ? undefined : found;
}
