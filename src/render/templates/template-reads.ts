import { analyzeSync, type Template, toValueSync, TypeGuards, Variable } from 'liquidjs';

import { isJsonObject, type JsonValue } from '../../model/json.ts';
import { compareText } from '../../model/object-ref.ts';
import type { TemplateData } from './template-data.ts';

type Path = readonly string[];

/**
 * What of the data a template can read, known before it is rendered. Each path names a value and all that is in it; the
 * paths are sorted, and none lies within another.
 */
export interface TemplateReads {
  readonly paths: readonly Path[];
}

const roots: readonly (keyof TemplateData)[] = ['cluster', 'fleet', 'item', 'params'];
export const readsNothing: TemplateReads = { paths: [] };
const readsEverything: TemplateReads = { paths: roots.map((root) => [root]) };

/** Pseudo-properties of Liquid: what they give depends on the whole of what they stand behind. */
const derived: ReadonlySet<string> = new Set(['size', 'first', 'last']);

/**
 * What parsed templates can read, all branches counted. A variable of the template's own that has the name of one of
 * ours counts as ours: too much is safe, too little is not. Files that are included are not followed: their own reads are
 * for the caller to add.
 */
export function readsOf(templates: Template[]): TemplateReads {
  try {
    if (computesNames(templates)) return readsEverything;
    const { variables } = analyzeSync(templates, { partials: false });
    return joinPaths(Object.values(variables).flatMap((found) => found.flatMap(pathsOf)));
  } catch {
    // Too deep to walk through; such a template fails when it is rendered.
    return readsEverything;
  }
}

/** What any of several templates can read. */
export function joinReads(reads: readonly TemplateReads[]): TemplateReads {
  return joinPaths(reads.flatMap(({ paths }) => paths));
}

/**
 * The part of the data that the reads name, for use in a key: equal parts give equal renderings, faults with their
 * suggestions included.
 */
export function pickReads(data: TemplateData, { paths }: TemplateReads): JsonValue {
  return paths.map((path) => [[...path], pick(data, path)]);
}

/** [value], or the keys beside the one that is missing, as suggestions speak of them. */
function pick(data: TemplateData, path: Path): JsonValue[] {
  let current: unknown = data;
  for (const key of path) {
    if (!isJsonObject(current)) return ['not a map', (current ?? null) as JsonValue];
    if (!Object.hasOwn(current, key)) return ['missing', key, Object.keys(current).sort(compareText)];
    current = current[key];
  }
  return [current as JsonValue];
}

/** The known beginnings of a variable's path and of those that stand in it, as in cluster.labels[params.key]. */
function pathsOf(variable: Variable): Path[] {
  const path: string[] = [];
  for (const segment of variable.segments) {
    if (typeof segment !== 'string' || derived.has(segment)) break;
    path.push(segment);
  }
  const inner = variable.segments.flatMap((segment) => (segment instanceof Variable ? pathsOf(segment) : []));
  const [root] = path;
  if (root === undefined) return [...readsEverything.paths, ...inner];
  return (roots as readonly string[]).includes(root) ? [path, ...inner] : inner;
}

function joinPaths(paths: readonly Path[]): TemplateReads {
  const sorted = paths.toSorted((a, b) => compareText(JSON.stringify(a), JSON.stringify(b)));
  const outer = sorted.filter(
    (path, index) =>
      !sorted.some(
        (other, at) =>
          other.every((key, depth) => path[depth] === key) &&
          (other.length < path.length || (other.length === path.length && at < index)),
      ),
  );
  return { paths: outer };
}

const includingTags: ReadonlySet<string> = new Set(['include', 'render', 'layout']);
/** A quoted name in which nothing is computed. */
const plainName = /^\s*(['"])(?!.*?\{[{%].*?\1).*?\1/s;
/** A bracket that follows no variable: what stands in it gives the variable's own name. */
const computedVariable = /[^\w\]]\[/;

/** Whether the name of a variable or of an included file is computed: what such a name leads to is not known. */
function computesNames(templates: readonly Template[]): boolean {
  return templates.some((template) => {
    const { token } = template;
    if (TypeGuards.isHTMLToken(token)) return false;
    if (TypeGuards.isTagToken(token) && includingTags.has(token.name) && !plainName.test(token.args))
      return true;
    if (computedVariable.test(token.getText())) return true;
    return computesNames(template.children === undefined ? [] : toValueSync(template.children(false, true)));
  });
}
