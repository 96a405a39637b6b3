import { expect } from 'chai';
import type { GitSource, GitTimeouts } from '../../src/git/git-source.ts';
import { openGitSource, type OpenGitSourceOptions } from '../../src/git/open-git-source.ts';
import type { ErrorCode } from '../../src/model/error-codes.ts';
import { FleetError } from '../../src/model/fleet-error.ts';
import { defined } from '../../src/model/defined.ts';
import type { GitBackend, GitSourceSettings } from '../../src/model/settings.ts';
import { nodeAt, type Snapshot } from '../../src/model/snapshot.ts';
import type { GitWorld } from './git.ts';

/** Every test of what a source does runs with both. */
export const backends = ['embedded', 'native'] as const;

/** Long enough for a busy machine, short enough that a test which waits for them stays quick. */
export const quickTimeouts: Partial<GitTimeouts> = { connectMs: 2_000, firstByteMs: 1_000, idleMs: 1_000 };

export type Wanted = Partial<GitSourceSettings> & Partial<OpenGitSourceOptions> & { readonly url: string };

/** Opens sources of a test and closes them all at its end. */
export class OpenSources {
  readonly #open: GitSource[] = [];
  readonly #world: GitWorld;

  readonly #backend: GitBackend;

  constructor(world: GitWorld, backend: GitBackend) {
    this.#world = world;
    this.#backend = backend;
  }

  async open(wanted: Wanted): Promise<GitSource> {
    const { stateDir, environment, timeouts, startWorker, ...settings } = wanted;
    const source = openGitSource(
      { ref: 'main', path: '', intervalMs: 1_000, backend: this.#backend, ...settings },
      defined({
        stateDir: stateDir ?? (await this.#world.tempDir('state')),
        environment: environment ?? process.env,
        timeouts,
        startWorker,
      }),
    );
    this.#open.push(source);
    return source;
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((source) => source.close()));
  }
}

/** Polls and expects a revision. */
export async function pollOnce(source: GitSource): Promise<Snapshot> {
  const snapshot = await source.poll(AbortSignal.timeout(60_000));
  if (snapshot === null) throw new Error('the repository is empty');
  return snapshot;
}

export async function textOf(snapshot: Snapshot, path: string): Promise<string> {
  return Buffer.from(await snapshot.read(path)).toString('utf8');
}

/** Every file, link and submodule of a snapshot, as 'path' or 'path (symlink)'. */
export function listLeaves(snapshot: Snapshot, below = ''): string[] {
  const node = nodeAt(snapshot.tree, below);
  if (node?.kind !== 'directory') return [];
  return [...node.children].flatMap(([name, child]) => {
    const path = below === '' ? name : `${below}/${name}`;
    if (child.kind === 'directory') return listLeaves(snapshot, path);
    return [child.kind === 'file' ? path : `${path} (${child.kind})`];
  });
}

/** The FleetError with this code that a promise must fail with. */
export async function failure(work: Promise<unknown>, code: ErrorCode): Promise<FleetError> {
  const outcome = await work.then(
    () => 'nothing failed',
    (error: unknown) => error,
  );
  expect(outcome).to.be.instanceOf(FleetError);
  const error = outcome as FleetError;
  expect(error.code, error.message).to.equal(code);
  return error;
}
