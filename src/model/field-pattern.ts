import {
  desiredHashAnnotation,
  dependsOnAnnotation,
  generatorAnnotation,
  ignoreFieldsAnnotation,
  partOfLabel,
} from './apply-set.ts';
import { valueAt } from './json.ts';
import type { PathElement } from './managed-fields.ts';

/** One step of a pattern: a key of a map, the items of a list in which a key has a value, or all keys or items. */
export type PatternStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'item'; readonly key: string; readonly value: string }
  | { readonly kind: 'any' };

/** Fields of an object, as people write them: '.spec.template.spec.containers[name=web].image', '.data.*'. */
export type FieldPattern = readonly PatternStep[];

export type ParsedPatterns =
  | { readonly ok: true; readonly patterns: readonly FieldPattern[] }
  /** What is wrong, and with which path, for a person. */
  | { readonly ok: false; readonly message: string };

const step =
  /\.(?<field>[A-Za-z_$][\w$-]*)|(?<any>\.\*|\[\*\])|\[(?<quoted>"(?:[^"\\]|\\.)*")\]|\[(?<key>[A-Za-z][\w-]*)=(?<value>"(?:[^"\\]|\\.)*"|[^\]",\s]+)\]/y;

/** The paths of an `ignore-fields` annotation, separated by commas or line breaks. */
export function parseFieldPatterns(text: string): ParsedPatterns {
  const patterns: FieldPattern[] = [];
  for (const path of separated(text)) {
    const parsed = parsePattern(path);
    if (typeof parsed === 'string') return { ok: false, message: `${path} ${parsed}` };
    patterns.push(parsed);
  }
  return patterns.length === 0 ? { ok: false, message: 'it names no path' } : { ok: true, patterns };
}

/** Commas within quotes are parts of a key. */
function separated(text: string): string[] {
  const paths = text.match(/(?:"(?:[^"\\\n]|\\.)*"|[^,\n"]|")+/g) ?? [];
  return paths.map((path) => path.trim()).filter((path) => path !== '');
}

function parsePattern(path: string): FieldPattern | string {
  const steps: PatternStep[] = [];
  for (let at = 0; at < path.length; at = step.lastIndex) {
    step.lastIndex = at;
    const groups = step.exec(path)?.groups;
    const parsed = groups === undefined ? undefined : stepOf(groups);
    if (parsed === undefined) return faultAt(path.slice(at));
    steps.push(parsed);
  }
  return faultOfReach(steps) ?? steps;
}

function stepOf(groups: Readonly<Record<string, string | undefined>>): PatternStep | undefined {
  const { field, quoted, key, value } = groups;
  if (field !== undefined) return { kind: 'field', name: field };
  if (key !== undefined && value !== undefined) {
    const text = value.startsWith('"') ? unquoted(value) : value;
    return text === undefined ? undefined : { kind: 'item', key, value: text };
  }
  if (quoted === undefined) return { kind: 'any' };
  const name = unquoted(quoted);
  return name === undefined ? undefined : { kind: 'field', name };
}

function unquoted(text: string): string | undefined {
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function faultAt(rest: string): string {
  if (/^\[\d/.test(rest))
    return 'counts items of a list, which may move; name them by a key, as in .containers[name=web], or all by [*]';
  if (!/^[.[]/.test(rest)) return 'is no path: it begins with a dot, as in .spec.replicas';
  return `is no path: ${rest} cannot be read; it is written as in .spec.containers[name=web].image or .data["app.conf"]`;
}

const ours = [
  partOfLabel,
  generatorAnnotation,
  desiredHashAnnotation,
  ignoreFieldsAnnotation,
  dependsOnAnnotation,
];

/** What makes the object what it is, or ours, cannot be left to others. */
function faultOfReach([root, ...below]: FieldPattern): string | undefined {
  if (root?.kind !== 'field') return 'would leave everything to others';
  switch (root.name) {
    case 'apiVersion':
    case 'kind':
      return 'tells what the object is; it cannot be left';
    case 'status':
      return 'is never written in any case';
    case 'metadata':
      return faultOfMetadata(below);
    default:
      return undefined;
  }
}

function faultOfMetadata([second, third]: FieldPattern): string | undefined {
  const map = second?.kind === 'field' ? second.name : undefined;
  if (map === 'finalizers' || map === 'ownerReferences') return undefined;
  if (map !== 'labels' && map !== 'annotations')
    return 'cannot be left: of the metadata only single labels and annotations, finalizers and ownerReferences can';
  return third?.kind === 'field' && !ours.includes(third.name)
    ? undefined
    : `cannot be left: Fleetwright keeps its own ${map} there; name those that are meant`;
}

/** What is left of the patterns one step further down. */
export function stepDown(patterns: readonly FieldPattern[], element: PathElement): FieldPattern[] {
  return patterns.flatMap(([first, ...rest]) =>
    first !== undefined && matches(first, element) ? [rest] : [],
  );
}

/** Whether a path is one of the fields, or below one. */
export function isCovered(patterns: readonly FieldPattern[], path: readonly PathElement[]): boolean {
  let left: readonly FieldPattern[] = patterns;
  for (const element of path) {
    if (left.length === 0) return false;
    left = stepDown(left, element);
    if (left.some((pattern) => pattern.length === 0)) return true;
  }
  return false;
}

function matches(pattern: PatternStep, element: PathElement): boolean {
  if (pattern.kind === 'any') return true;
  if (pattern.kind === 'field') return 'field' in element && element.field === pattern.name;
  if ('field' in element) return false;
  const value = valueAt(element.item, pattern.key);
  return (typeof value === 'string' || typeof value === 'number') && String(value) === pattern.value;
}
