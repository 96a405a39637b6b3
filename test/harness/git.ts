import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runGit } from '../../src/local/git-server-run.ts';
import { type GitServer, startGitServer } from '../../src/local/git-server.ts';

/** Content by path. null removes the file; a link is written as {linkTo: target}. */
export type Files = Readonly<Record<string, string | Uint8Array | { readonly linkTo: string } | null>>;

/** A work tree whose commits go to a repository of a GitServer, through real git over HTTP. */
export interface TestRepository {
  readonly name: string;
  readonly dir: string;
  readonly url: string;
  /** The bare repository behind the URL. */
  readonly bareDir: string;
  git(...args: readonly string[]): Promise<string>;
  /** Writes files, commits and pushes; returns the commit's id. */
  commit(files: Files, message?: string): Promise<string>;
  write(files: Files): Promise<void>;
}

export interface GitWorld {
  readonly server: GitServer;
  /** A folder that is removed with the world. */
  tempDir(name?: string): Promise<string>;
  /** A repository with one commit of these files; with none it has no commit at all. */
  repository(files?: Files): Promise<TestRepository>;
  close(): Promise<void>;
}

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

/** Starts a Git server with a folder for everything a test file needs. */
export async function startGitWorld(options: { readonly token?: string } = {}): Promise<GitWorld> {
  const base = await mkdtemp(join(tmpdir(), 'fleetwright-git-'));
  const server = await startGitServer({
    root: join(base, 'repositories'),
    ...(options.token === undefined ? {} : { auth: { token: options.token } }),
  });
  let count = 0;

  return {
    server,
    tempDir: (name = 'dir') => mkdtemp(join(base, `${name}-`)),
    async repository(files) {
      const name = `repo${++count}`;
      const bareDir = await server.createRepository(name);
      const dir = await mkdtemp(join(base, `${name}-`));
      const repository = openTestRepository({ name, dir, bareDir, url: server.url(name) });
      await repository.git('init', '--quiet', '--initial-branch=main');
      await repository.git('remote', 'add', 'origin', authenticated(server.url(name), options.token));
      if (files !== undefined) await repository.commit(files, 'first');
      return repository;
    },
    async close() {
      await server.close();
      await rm(base, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function openTestRepository(at: Pick<TestRepository, 'name' | 'dir' | 'bareDir' | 'url'>): TestRepository {
  const git = (...args: readonly string[]): Promise<string> => runGit(['-C', at.dir, ...args], {}, identity);
  const write = (files: Files): Promise<void> => writeFiles(at.dir, files);
  return {
    ...at,
    git,
    write,
    async commit(files, message = 'change') {
      await write(files);
      await git('add', '--all');
      await git('commit', '--quiet', '--allow-empty', '-m', message);
      await git('push', '--quiet', 'origin', 'HEAD');
      return await git('rev-parse', 'HEAD');
    },
  };
}

/** Writes, links and removes files below a folder. */
export async function writeFiles(dir: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const full = join(dir, path);
    await rm(full, { recursive: true, force: true });
    if (content === null) continue;
    await mkdir(dirname(full), { recursive: true });
    if (typeof content === 'object' && 'linkTo' in content) await symlink(content.linkTo, full);
    else await writeFile(full, content);
  }
}

function authenticated(url: string, token: string | undefined): string {
  return token === undefined ? url : url.replace('://', `://test:${token}@`);
}
