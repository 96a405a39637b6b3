/**
 * A path from the root, given one from a folder of the repository: ('apps/web', '../base') is 'apps/base'. Undefined for
 * an absolute path and for one that leaves the repository.
 */
export function joinPath(folder: string, path: string): string | undefined {
  if (path.startsWith('/')) return undefined;
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** The same folders without those that lie within another. */
export function outermost(folders: readonly string[]): string[] {
  const all = new Set(folders);
  if (all.has('')) return [''];
  return [...all].filter((folder) => !ancestorsOf(folder).some((ancestor) => all.has(ancestor))).sort();
}

function ancestorsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
