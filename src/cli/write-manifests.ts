import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';

import { isJsonObject } from '../model/json.ts';
import { compareText } from '../model/object-ref.ts';
import { UsageError } from './usage-error.ts';

/** Lists the files that an earlier rendering wrote; nothing else in the folder is ever overwritten or removed. */
const markerFile = '.fleetwright-render.json';
/** Where files are written before they take their places; what a killed run left in it is removed by the next. */
const stagingFolder = '.fleetwright-render.tmp';

export interface WriteOptions {
  /** Which of the files written earlier, if they are not among the new ones, are out of date. */
  readonly isStale: (path: string) => boolean;
  readonly signal: AbortSignal;
}

export interface WrittenManifests {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

/**
 * Writes files into a folder, each at once or not at all, and removes those that an earlier call wrote and that are
 * stale. Files whose content stays are not touched.
 * @throws UsageError before anything is written, when a file is in the way that no rendering wrote.
 */
export async function writeManifests(
  folder: string,
  files: ReadonlyMap<string, string>,
  options: WriteOptions,
): Promise<WrittenManifests> {
  await mkdir(folder, { recursive: true });
  const earlier = await readMarker(folder);
  const foreign = await findForeign(
    folder,
    [...files.keys()].filter((path) => !earlier.has(path)),
  );
  if (foreign.length > 0) {
    throw new UsageError(
      `These files in ${folder} were not written by fleetwright and are in the way:\n  ${foreign.join('\n  ')}`,
    );
  }
  const staging = { folder, path: join(folder, stagingFolder) };
  await rm(staging.path, { recursive: true, force: true });
  await mkdir(staging.path);
  try {
    return await replaceAll(staging, { files, earlier }, options);
  } finally {
    await rm(staging.path, { recursive: true, force: true });
  }
}

interface Staging {
  /** The folder that is written to. */
  readonly folder: string;
  /** In the same file system, so that a file takes its place at once or not at all. */
  readonly path: string;
}

async function replaceAll(
  staging: Staging,
  { files, earlier }: { readonly files: ReadonlyMap<string, string>; readonly earlier: ReadonlySet<string> },
  { isStale, signal }: WriteOptions,
): Promise<WrittenManifests> {
  const stale = [...earlier].filter((path) => !files.has(path) && isStale(path));
  // Listed before they exist: a rendering that is cut short leaves no file that the next one takes for foreign.
  await writeMarker(staging, [...earlier, ...files.keys()]);
  let written = 0;
  for (const [path, text] of files) {
    signal.throwIfAborted();
    if (await replaceFile(staging, path, text)) written += 1;
  }
  for (const path of stale) {
    await rm(join(staging.folder, path), { force: true });
    await removeEmptyFolders(staging.folder, dirname(path));
  }
  await writeMarker(
    staging,
    [...earlier, ...files.keys()].filter((path) => !stale.includes(path)),
  );
  return { written, unchanged: files.size - written, removed: stale.length };
}

async function readMarker(folder: string): Promise<Set<string>> {
  const text = await readFile(join(folder, markerFile), 'utf8').catch(absent);
  if (text === undefined) return new Set();
  let marker: unknown;
  try {
    marker = JSON.parse(text);
  } catch {
    marker = undefined;
  }
  const files = isJsonObject(marker) ? marker['files'] : undefined;
  if (!Array.isArray(files))
    throw new UsageError(`${join(folder, markerFile)} is damaged. Remove the folder and render anew.`);
  return new Set(files.filter((path): path is string => typeof path === 'string' && staysInside(path)));
}

/** Whoever can write the list must not be able to have files elsewhere removed. */
function staysInside(path: string): boolean {
  const clean = normalize(path);
  return path !== '' && !clean.startsWith('..') && !clean.startsWith(sep) && clean !== markerFile;
}

async function writeMarker(staging: Staging, paths: readonly string[]): Promise<void> {
  const files = [...new Set(paths)].sort(compareText);
  await replaceFile(staging, markerFile, `${JSON.stringify({ files }, null, 2)}\n`);
}

async function findForeign(folder: string, paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => ((await stat(join(folder, path)).catch(absent)) ? [path] : [])),
  );
  return found.flat();
}

/** Whether the file had to be written. */
async function replaceFile(staging: Staging, file: string, text: string): Promise<boolean> {
  const path = join(staging.folder, file);
  if ((await readFile(path, 'utf8').catch(absent)) === text) return false;
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(staging.path, 'file');
  await writeFile(temporary, text);
  await rename(temporary, path);
  return true;
}

async function removeEmptyFolders(root: string, folder: string): Promise<void> {
  for (let current = folder; current !== '.' && current !== ''; current = dirname(current)) {
    // Stops at the first folder that holds something, ours or not.
    const removed = await rmdir(join(root, current)).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

function absent(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
}
