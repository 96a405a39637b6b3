import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FleetError } from '../../model/fleet-error.ts';
import { heldRef } from '../remote/fetch-commit.ts';
import { explainFailure, type GitFailure } from './explain-failure.ts';
import { silenceOf } from './ls-remote.ts';
import type { NativeGit } from './native-git.ts';

export interface GenerationFetch {
  readonly gitdir: string;
  readonly url: string;
  readonly shown: string;
  /** What the ref names: a commit or an annotated tag. */
  readonly oid: string;
  readonly maxPackBytes: number;
  readonly silence: { readonly firstMs: number; readonly nextMs: number };
  /** What goes into the environment of this command alone: credentials. */
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

/** Makes an empty bare repository; nothing of git's templates goes into it. */
export async function createGeneration(
  git: NativeGit,
  gitdir: string,
  options: { readonly objectFormat: string; readonly signal: AbortSignal },
): Promise<void> {
  const { objectFormat, signal } = options;
  const args = ['init', '--quiet', '--bare', '--template=', `--object-format=${objectFormat}`, gitdir];
  const outcome = await git.run(args, { signal });
  if (outcome.kind !== 'done') throw new FleetError('GitUnavailable', `the mirror ${gitdir} cannot be made`);
  await mkdir(join(gitdir, 'objects', 'pack'), { recursive: true });
}

export type FetchFailure = GitFailure | { readonly kind: 'tooLarge' };

/**
 * Brings one commit, without its history, into a generation as one more pack: what is there already does not travel
 * again. git moves the `held` ref once everything has arrived, which is what makes a generation whole.
 * @returns undefined when that is done, else why it is not.
 * @throws the reason of the signal.
 */
export async function fetchGeneration(
  git: NativeGit,
  wanted: GenerationFetch,
): Promise<FetchFailure | undefined> {
  const { gitdir, url, shown, oid, maxPackBytes, silence, variables, secrets, signal } = wanted;
  await removeLeftovers(gitdir);
  const args = [
    '--git-dir',
    gitdir,
    'fetch',
    '--progress',
    '--depth=1',
    '--no-tags',
    '--no-write-fetch-head',
  ];
  const outcome = await git.run([...args, '--force', '--', url, `+${oid}:${heldRef}`], {
    signal,
    maxFileBytes: maxPackBytes,
    silence,
    variables,
  });
  switch (outcome.kind) {
    case 'done':
      return undefined;
    case 'failed':
      if (await metLimit(gitdir, maxPackBytes)) return { kind: 'tooLarge' };
      return explainFailure(outcome.stderr, shown, secrets);
    case 'silent':
      return { kind: 'transport', error: new FleetError('GitUnavailable', `${shown} ${silenceOf(outcome)}`) };
    case 'missing':
      return { kind: 'transport', error: new FleetError('GitUnavailable', 'git is no longer on PATH') };
  }
}

/** A git that was killed leaves its locks, and the pack that it was writing; the folder is ours alone. */
async function removeLeftovers(gitdir: string): Promise<void> {
  const paths = [
    ...(await unfinishedPacks(gitdir)),
    join(gitdir, 'shallow.lock'),
    join(gitdir, `${heldRef}.lock`),
  ];
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

/** A pack that was cut off at the limit tells why git failed: the system ends it without a word. */
async function metLimit(gitdir: string, maxPackBytes: number): Promise<boolean> {
  const sizes = await Promise.all(
    (await unfinishedPacks(gitdir)).map(async (path) => (await stat(path)).size),
  );
  return sizes.some((size) => size >= maxPackBytes);
}

async function unfinishedPacks(gitdir: string): Promise<string[]> {
  const packDir = join(gitdir, 'objects', 'pack');
  return (await readdir(packDir))
    .filter((name) => name.startsWith('tmp_'))
    .map((name) => join(packDir, name));
}
