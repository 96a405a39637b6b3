import { execFile } from 'node:child_process';
import { FleetError } from '../model/fleet-error.ts';

/** Environment variables, as the process that starts us has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const defaultBranch = 'main';

const usualPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';
const deadlineMs = 60_000;

/**
 * What git runs with: PATH and nothing else of the caller's, and no configuration of the user or the system, so that
 * a signing key, a hook or another default branch there changes nothing here.
 */
export function gitEnvironment(environment: Environment = {}): Record<string, string> {
  return {
    PATH: environment['PATH'] ?? usualPath,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/**
 * Runs git and returns what it prints, trimmed.
 * @throws FleetError ConfigInvalid when git is missing, Internal with git's own words when it fails.
 */
export function runGit(
  args: readonly string[],
  environment: Environment = {},
  extra: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      args,
      { env: { ...gitEnvironment(environment), ...extra }, timeout: deadlineMs, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) {
          resolve(stdout.trim());
        } else if (error.code === 'ENOENT') {
          reject(
            new FleetError('ConfigInvalid', 'git is not installed: the local Git server needs it on PATH'),
          );
        } else {
          reject(new FleetError('Internal', `git ${args.join(' ')} failed: ${stderr.trim()}`));
        }
      },
    );
  });
}
