import { LiquidError, Token } from 'liquidjs';

import { didYouMean } from '../../config/schema/suggestion.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import { isJsonObject } from '../../model/json.ts';
import { compareText } from '../../model/object-ref.ts';
import type { TemplatePlace, TokenPlace } from './output-map.ts';
import type { Rendering } from './rendering.ts';
import { FactUnknown } from './template-scope.ts';

/** Why a template could not be read or rendered, and where in which of its files. */
export interface TemplateFault extends TemplatePlace {
  readonly message: string;
  /** Only where it is another than that of any template that fails. */
  readonly code?: ErrorCode;
}

interface Circumstances {
  readonly rendering: Rendering;
  readonly scope: Readonly<Record<string, unknown>>;
  readonly filters: readonly string[];
  readonly tags: readonly string[];
}

/** Makes a fault of what the library threw: where it happened, what can be meant instead, which limit was met. */
export function explainFault(thrown: unknown, circumstances: Circumstances): TemplateFault {
  const { rendering } = circumstances;
  const message = explain(firstLineOf(thrown), circumstances);
  const token = tokenOf(thrown, rendering.trace);
  const place = token === undefined ? { file: '', line: 1, column: 1 } : rendering.map.placeOfToken(token);
  return { message, ...place, ...(isFactUnknown(thrown) ? { code: 'FactsUnknown' as const } : {}) };
}

function isFactUnknown(thrown: unknown): boolean {
  return (
    thrown instanceof FactUnknown || (LiquidError.is(thrown) && thrown.originalError instanceof FactUnknown)
  );
}

/** The library adds the place to its messages; it is told apart from them here. */
function firstLineOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const [first = ''] = message.split('\n');
  return first.replace(/(, file:[^,]*)?, line:\d+, col:\d+$/, '');
}

/**
 * The token at fault. Those of a file's name that is itself a template stand in no file, and neither does what reads
 * the name of a variable say in which file it is; then it is the innermost tag that was being rendered.
 */
function tokenOf(thrown: unknown, trace: readonly Token[]): TokenPlace | undefined {
  const around = trace.findLast(({ file }) => file !== undefined);
  const own: unknown = LiquidError.is(thrown) ? thrown.token : undefined;
  if (!(own instanceof Token)) return around;
  if (own.file !== undefined) return own;
  if (around === undefined || own.input !== around.input) return around ?? own;
  return { input: own.input, begin: own.begin, file: around.file };
}

const limits: ReadonlyMap<string, string> = new Map([
  ['parse length limit exceeded', 'the limit on length: a template is longer than 10 Mi characters'],
  ['template render limit exceeded', 'the limit on time: the template takes longer than 5 s'],
  [
    'memory alloc limit exceeded',
    'the limit on memory: filters and ranges make more than 10 million characters and items',
  ],
  ['Maximum call stack size exceeded', 'the limit on depth: tags stand too deep in one another'],
  ['Invalid string length', 'the limit on memory: a text grows too long'],
  ['Invalid array length', 'the limit on memory: a list grows too long'],
]);

function explain(message: string, { scope, filters, tags }: Circumstances): string {
  const limit = limits.get(message);
  if (limit !== undefined) return limit;
  const [, kind, name = ''] = /^(undefined (?:variable|filter)): (.*)$/.exec(message) ?? [];
  if (kind === 'undefined filter') return message + didYouMean(name, filters);
  if (kind === 'undefined variable') return message + nearVariable(name, scope);
  const tag = /^tag "(.*)" not found$/.exec(message)?.[1];
  return tag === undefined ? message : `there is no tag ${tag}${didYouMean(tag, tags)}`;
}

const roots: readonly string[] = ['cluster', 'fleet', 'params', 'item'];

/** What may be meant by a path whose last key is missing. Keys may hold dots themselves. */
function nearVariable(path: string, scope: Readonly<Record<string, unknown>>): string {
  if (path === 'item') return '; it is there only with each';
  let candidates = roots;
  let parent: unknown = scope;
  let rest = path;
  while (isJsonObject(parent)) {
    const key = candidates.find((candidate) => rest.startsWith(`${candidate}.`));
    if (key === undefined) return didYouMean(rest, candidates);
    parent = parent[key];
    rest = rest.slice(key.length + 1);
    // In order, so that equal data give the same suggestion.
    candidates = isJsonObject(parent) ? Object.keys(parent).sort(compareText) : [];
  }
  return '';
}
