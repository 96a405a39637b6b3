import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { defaultBranch, type Environment, runGit } from './git-server-run.ts';

export interface CommitFolderOptions {
  /** The bare repository. */
  readonly repository: string;
  /** What the commit holds: every file of this folder, ignored ones too. */
  readonly folder: string;
  readonly message: string;
  readonly branch?: string;
  /** RFC 3339; the commit's id depends on it. */
  readonly date?: string;
  readonly environment?: Environment;
}

const author = { name: 'Fleetwright Demo', email: 'demo@fleetwright.dev' };

/**
 * Commits a folder to a bare repository, on top of what its branch has, and returns the commit's id. Author and date
 * are fixed, so that the same folder gives the same id everywhere.
 */
export async function seedRepository(options: CommitFolderOptions): Promise<string> {
  const { repository, folder, message, environment = {}, date = '2026-01-01T00:00:00Z' } = options;
  const ref = `refs/heads/${options.branch ?? defaultBranch}`;
  const scratch = await mkdtemp(join(tmpdir(), 'fleetwright-index-'));
  const git = (...args: readonly string[]): Promise<string> =>
    runGit(['--git-dir', repository, '--work-tree', resolve(folder), ...args], environment, {
      GIT_INDEX_FILE: join(scratch, 'index'),
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
      GIT_COMMITTER_DATE: date,
    });
  try {
    const parent = await git('for-each-ref', '--format=%(objectname)', ref);
    await git('add', '--all', '--force', resolve(folder));
    const tree = await git('write-tree');
    const commit = await git('commit-tree', tree, ...(parent === '' ? [] : ['-p', parent]), '-m', message);
    await git('update-ref', ref, commit);
    return commit;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
