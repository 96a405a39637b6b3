import type { JsonObject } from '../../model/json.ts';
import type { MapReader } from '../map-reader.ts';
import type { Path } from '../notes.ts';
import { checkRepository, checkRevision } from '../repository.ts';
import type { ParameterSource } from '../template/scope.ts';
import { celText, type Template } from '../template/template.ts';
import { type ArgoContext, type Combination, translatorFor } from './combination.ts';
import { directorySource, fileSource } from './git-source.ts';
import { readValues } from './values.ts';

/** The git generator. `earlier`: what a matrix has given before it, which its paths may speak of. */
export function readGit(
  reader: MapReader,
  context: ArgoContext,
  earlier: readonly ParameterSource[],
): Combination | undefined {
  const { notes } = context;
  checkRepository(reader.text('repoURL'), [...reader.path, 'repoURL'], context);
  checkRevision(reader.text('revision'), [...reader.path, 'revision'], notes);
  reader.note('dropped', 'requeueAfterSeconds', {
    message: 'how often Git is asked is set once for the fleet, as source.interval',
  });
  reader.any('template');
  const prefix = reader.text('pathParamPrefix');
  const kind = reader.has('files') ? 'files' : 'directories';
  const { glob, conditions } = readGlobs(reader, kind, { context, earlier });
  const own = kind === 'files' ? fileSource(prefix) : directorySource(prefix);
  const values = readValues(reader, context, [own, ...earlier]);
  reader.any('directories');
  reader.end();
  if (glob === undefined) {
    notes.add('unsupported', reader.path, {
      message: 'a git generator without directories and files gives nothing',
    });
    return undefined;
  }
  return {
    conditions,
    [kind]: glob,
    parameters: values.parameters,
    overrides: [],
    sources: [values.source, own],
  };
}

function readGlobs(
  reader: MapReader,
  kind: 'files' | 'directories',
  { context, earlier }: { readonly context: ArgoContext; readonly earlier: readonly ParameterSource[] },
): { readonly glob?: JsonObject; readonly conditions: readonly string[] } {
  const translate = translatorFor(context, earlier);
  const globs = reader.maps(kind).map((entry) => {
    const path = [...entry.path, 'path'];
    const text = entry.text('path') ?? '';
    const isExcluded = entry.flag('exclude') ?? false;
    entry.end();
    const found = globOf(translate(plainPath(text), path), { kind, path, context });
    if (isExcluded && found.condition !== undefined) tellTemplate(path, context);
    return { ...found, isExcluded };
  });
  const include = globs.filter(({ isExcluded }) => !isExcluded);
  const exclude = globs.filter(({ isExcluded }) => isExcluded).map(({ glob }) => glob);
  if (include.length === 0) return { conditions: [] };
  const conditions = include.flatMap(({ condition }) => condition ?? []);
  if (conditions.length > 0 && conditions.length < include.length) {
    context.notes.add('unsupported', [...reader.path, kind], {
      message: 'globs with and without a template beside each other have no equal',
      remedy: 'Write a generator for each.',
    });
  }
  const paths = include.map(({ glob }) => glob);
  return {
    glob: { path: paths.length === 1 ? (paths[0] ?? '') : paths, ...(exclude.length > 0 && { exclude }) },
    // Of several globs that have a condition each, one must hold.
    conditions: conditions.length < 2 ? conditions : [conditions.join(' || ')],
  };
}

function plainPath(text: string): string {
  return text.replace(/^(\.?\/)+/, '').replace(/\/+$/, '');
}

interface GlobPlace {
  readonly kind: 'files' | 'directories';
  readonly path: Path;
  readonly context: ArgoContext;
}

/**
 * Globs know no templates: a `*` stands for what is filled in, and a condition keeps of what it finds what the
 * template would have found. That can be said where no other wildcard stands before it.
 */
function globOf(
  template: Template,
  { kind, path, context }: GlobPlace,
): { readonly glob: string; readonly condition?: string } {
  const glob = template.map((part) => (part.kind === 'text' ? part.text : '*')).join('');
  const last = template.findLastIndex((part) => part.kind !== 'text');
  if (last < 0) return { glob };
  const tail = template[last + 1];
  const after = tail?.kind === 'text' ? tail.text : '';
  const untilSlash = after.slice(0, after.includes('/') ? after.indexOf('/') + 1 : after.length);
  const head: Template = [...template.slice(0, last + 1), { kind: 'text', text: untilSlash }];
  const said = celText(head.filter((part) => part.kind !== 'text' || part.text !== ''));
  const hasWildcard = head.some((part) => part.kind === 'text' && /[*?[\]{}]/.test(part.text));
  if (said === undefined || hasWildcard) {
    tellTemplate(path, context);
    return { glob };
  }
  const found = kind === 'files' ? 'item.file.path' : 'item.directory.path';
  const isWhole = untilSlash === after;
  const condition =
    isWhole && !untilSlash.endsWith('/') ? `${found} == ${said}` : `${found}.startsWith(${said})`;
  return { glob, condition };
}

function tellTemplate(path: Path, { notes }: ArgoContext): void {
  notes.add('unsupported', path, {
    message: 'a template in this glob has no equal: * stands for it, which finds more',
    remedy: 'Keep what is meant by a condition in `when`, on item.directory or item.file.',
  });
}
