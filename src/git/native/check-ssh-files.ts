import { access, constants } from 'node:fs/promises';
import { FleetError } from '../../model/fleet-error.ts';
import type { SshAuth } from '../../model/settings.ts';

/**
 * Finds files of the settings that are not there: ssh would go on without them and fail with other words.
 * @throws FleetError GitUnauthorized that names the file.
 */
export async function checkSshFiles({ privateKeyFile, knownHostsFile }: SshAuth): Promise<void> {
  for (const [what, path] of [
    ['ssh key', privateKeyFile],
    ['file of known hosts', knownHostsFile],
  ] as const) {
    if (path === undefined) continue;
    try {
      await access(path, constants.R_OK);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      throw new FleetError('GitUnauthorized', `the ${what} ${path} cannot be read (${code})`);
    }
  }
}
