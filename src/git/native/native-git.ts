import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FleetError } from '../../model/fleet-error.ts';
import type { Environment } from '../git-source.ts';
import { gitConfig, gitEnvironment, type GitProtocol, trustedCertificates } from './git-environment.ts';
import { type GitOutcome, type GitRun, runGit } from './run-git.ts';

/** The git on PATH, found to be new enough, with all that it may know of the world. */
export interface NativeGit {
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], options: GitCommandOptions): Promise<GitOutcome>;
}

export interface GitCommandOptions extends Pick<GitRun, 'signal' | 'maxFileBytes' | 'silence'> {
  /** Beside the environment that every command has. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface NativeGitOptions {
  readonly environment: Environment;
  /** A folder of ours, not shared with another process. */
  readonly dir: string;
  readonly protocol: GitProtocol;
  readonly sshCommand?: string;
  readonly signal: AbortSignal;
}

/** GIT_CONFIG_COUNT came with 2.31 and GIT_CONFIG_GLOBAL with 2.32. */
const minimum = [2, 32] as const;

const install =
  'install git (Debian, Ubuntu: apt-get install git; Alpine: apk add git; Red Hat: dnf install git), ' +
  'and openssh-client for ssh:// addresses';

/**
 * Finds git and writes down its configuration.
 * @throws FleetError GitUnavailable that says what to install when git is missing or too old.
 */
export async function openNativeGit(options: NativeGitOptions): Promise<NativeGit> {
  const { environment, dir, signal } = options;
  const home = join(dir, 'home');
  await mkdir(home, { recursive: true, mode: 0o700 });
  const configPath = join(home, 'gitconfig');
  await writeFile(configPath, gitConfig);
  const certificates = trustedCertificates(environment);
  const caPath = join(home, 'trusted.pem');
  if (certificates === undefined) await rm(caPath, { force: true });
  else await writeFile(caPath, certificates);
  const env = gitEnvironment({
    ...options,
    home,
    configPath,
    ...(certificates === undefined ? {} : { caPath }),
  });
  const run: NativeGit['run'] = (args, { variables, ...limits }) =>
    runGit({ args, env: { ...env, ...variables }, cwd: home, ...limits });
  refuseOldGit(await run(['version'], { signal }));
  return { env, run };
}

/** @throws FleetError GitUnavailable when there is no git, or one that is too old. */
function refuseOldGit(outcome: GitOutcome): void {
  const text = outcome.kind === 'done' ? outcome.stdout.trim() : '';
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(text) ?? []).map(Number);
  if (major > minimum[0] || (major === minimum[0] && minor >= minimum[1])) return;
  const found = text === '' ? 'there is no git on PATH' : `${text} is too old`;
  throw new FleetError('GitUnavailable', `${found}; git ${minimum.join('.')} or newer is needed: ${install}`);
}
