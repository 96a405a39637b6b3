import { isJsonObject, type JsonValue } from '../model/json.ts';
import type { DesiredObject } from '../model/desired.ts';
import type { Origin } from '../model/origin.ts';
import { patchOf } from './overrides/patched-fields.ts';

/**
 * Where in Git it is said what a field of an object should be: in the generator, where one of its patches wrote the
 * field last, else in the object's own file. `path` is as in FieldDifference; `text` is that of the object's file at the
 * same revision. Undefined where the object is not found in it, as in what a tool made.
 */
export function placeOfField(
  { origin, manifest, patched = [] }: Pick<DesiredObject, 'origin' | 'manifest' | 'patched'>,
  path: string,
  text: string,
): Pick<Origin, 'file' | 'line'> | undefined {
  const patch = patchOf(patched, stepsOf(path, manifest));
  if (patch !== undefined) return { file: patch.origin.file, line: patch.origin.line };
  const line = lineOfField(text, origin, path);
  return line === undefined ? undefined : { file: origin.file, line };
}
import { objectInFile } from './object-in-file.ts';

/**
 * The line of a field in the file that an object comes from, or of its nearest ancestor that the file writes out.
 * `path` is as in FieldDifference; `text` is the file's text at the same revision. Undefined where the object is not
 * found, as in a template's source.
 */
export function lineOfField(text: string, origin: Origin, path: string): number | undefined {
  const object = objectInFile(text, origin);
  return object?.locate(stepsOf(path, object.value), 'key').line;
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
