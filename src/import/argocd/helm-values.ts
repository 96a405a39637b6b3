import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';
import type { MapReader } from '../map-reader.ts';
import type { Path } from '../notes.ts';
import { splitTags } from '../template/tags.ts';
import { liquidText } from '../template/template.ts';
import type { Translate } from '../template/translator.ts';
import { parseYamlText } from '../yaml-text.ts';
import { mergeMaps } from './combination.ts';

/** `values`, `valuesObject` and `parameters` of a Helm source as one map: parameters win, as in Argo CD. */
export function readHelmValues(helm: MapReader, translate: Translate): JsonObject {
  const object = helm.map('valuesObject');
  const text = helm.text('values');
  const values =
    object === undefined
      ? text === undefined
        ? {}
        : valuesOfText(text, helm, translate)
      : translateTree(object.value, (steps) => [...object.path, ...steps], translate);
  return helm.maps('parameters').reduce<JsonObject>((merged, parameter) => {
    const path = [...parameter.path, 'value'];
    const name = translated(parameter.text('name') ?? '', [...parameter.path, 'name'], translate);
    const value = parameter.text('value') ?? '';
    const isText = parameter.flag('forceString') ?? false;
    parameter.end();
    const typed = value.includes('{{') || isText ? translated(value, path, translate) : typedValue(value);
    const nested = nestedValue(name, typed);
    if (nested !== undefined) return mergeMaps(merged, nested);
    helm.notes.add('unsupported', [...parameter.path, 'name'], {
      message: `${name} sets an item of a list, which has no equal`,
      remedy: 'Write the whole list into render.helm.values.',
    });
    return merged;
  }, values);
}

function translated(text: string, path: Path, translate: Translate): string {
  return liquidText(translate(text, path));
}

/** Every text of a tree as a template of ours; keys stay as they are. `pathOf`: where a value stands in the document. */
function translateTree(value: JsonObject, pathOf: (steps: Path) => Path, translate: Translate): JsonObject {
  const visit = (node: JsonValue, steps: Path): JsonValue => {
    if (typeof node === 'string') return translated(node, pathOf(steps), translate);
    if (Array.isArray(node)) return node.map((child, index) => visit(child, [...steps, index]));
    return isJsonObject(node) ? visitMap(node, steps) : node;
  };
  const visitMap = (map: JsonObject, steps: Path): JsonObject =>
    Object.fromEntries(Object.entries(map).map(([key, child]) => [key, visit(child, [...steps, key])]));
  return visitMap(value, []);
}

/**
 * A text of values. Argo CD fills templates in before it reads the YAML, so outputs without quotes are common there:
 * each is put aside under a plain word, and back when the YAML has been read.
 */
function valuesOfText(text: string, helm: MapReader, translate: Translate): JsonObject {
  const path = [...helm.path, 'values'];
  const outputs: string[] = [];
  const wordOf = (index: number): string => `fleetwright${index}output`;
  const plain = splitTags(text)
    .map((piece, index) => (index % 2 === 0 ? piece : wordOf(outputs.push(piece) - 1)))
    .join('');
  const parsed = parseYamlText(plain);
  if (!parsed.ok || !isJsonObject(parsed.value) || hasControl(outputs)) {
    helm.notes.add('unsupported', path, {
      message: parsed.ok
        ? 'values that are built by if or range have no equal'
        : `the values cannot be read: ${parsed.message}`,
      remedy: 'Write the values into a file beside the chart, and name it in render.helm.valuesFiles.',
    });
    return {};
  }
  const bare = outputs.filter((_, index) =>
    new RegExp(`^[^"'#]*:\\s*${wordOf(index)}\\s*$`, 'm').test(plain),
  );
  if (bare.length > 0) {
    helm.notes.add('changed', path, {
      message: `${bare.join(', ')} without quotes: the value keeps its own type, so that the text "3" stays text`,
      remedy:
        'Where the chart needs a number or true and false, write it as such in the parameters, items or files.',
    });
  }
  const restore = (word: string): string =>
    word.replace(/fleetwright(\d+)output/g, (_, index: string) => outputs[Number(index)] ?? '');
  const restored: unknown = JSON.parse(
    JSON.stringify(parsed.value).replace(/"(?:[^"\\]|\\.)*"/g, (quoted) =>
      JSON.stringify(restore(String(JSON.parse(quoted)))),
    ),
  );
  return isJsonObject(restored) ? translateTree(restored, () => path, translate) : {};
}

function hasControl(outputs: readonly string[]): boolean {
  return outputs.some((output) => /^\{\{-?\s*(range|with|define|block)\b/.test(output));
}

/** `--set` makes numbers, true, false and null of texts that look like them. */
function typedValue(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return /^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

/** `a.b\.c` as {a: {'b.c': value}}; undefined for an item of a list. */
function nestedValue(name: string, value: JsonValue): JsonObject | undefined {
  if (/\[\d+\]/.test(name)) return undefined;
  const keys = name.split(/(?<!\\)\./).map((key) => key.replace(/\\\./g, '.'));
  const nested = keys.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);
  return isJsonObject(nested) ? nested : undefined;
}
