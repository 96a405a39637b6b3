import { didYouMean } from '../../config/schema/suggestion.ts';

/** What other files of a source a template may include: texts, or why there is none, by path from the source's folder. */
export type Partials = ReadonlyMap<string, PartialFile>;

export type PartialFile =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'unreadable'; readonly reason: string };

/** Whether a path below a source names a file that others include, which is no manifest itself. */
export function isPartial(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('_'));
}

/**
 * The path, from the source's folder, of the file that a tag names: from that folder, or, with ./ or ../ before it, from
 * the folder of the file in which the tag stands.
 * @throws Error when it leads out of the source.
 */
export function resolvePartial(name: string, from: string): string {
  const parts = /^\.\.?\//.test(name) ? from.split('/').slice(0, -1) : [];
  for (const part of name.split('/')) {
    if (part === '.') continue;
    if (part === '..' && parts.length === 0) throw outside(name);
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  if (name.startsWith('/') || name.includes('\\')) throw outside(name);
  return parts.join('/');
}

function outside(name: string): Error {
  return new Error(
    `${JSON.stringify(name)} is outside of the source; only files of the source can be included`,
  );
}

/** The text of a file that others include. @throws Error when there is none. */
export function partialText(partials: Partials, path: string): string {
  const file = partials.get(path);
  if (file?.kind === 'text') return file.text;
  if (file !== undefined) throw new Error(`${path} cannot be read: ${file.reason}`);
  if (!isPartial(path))
    throw new Error(
      `${path} cannot be included: only files whose name begins with _, or in a folder like that, can`,
    );
  throw new Error(`there is no ${path} in the source${didYouMean(path, [...partials.keys()])}`);
}
