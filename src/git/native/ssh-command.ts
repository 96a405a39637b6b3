import type { SshAuth } from '../../model/settings.ts';

/** A server that is gone is noticed within three of these. */
const keepAliveSeconds = 15;

/**
 * The ssh that git starts. It never asks anything, and it never takes a host key that is not known. With files named in
 * the settings it uses these and nothing of the user's; without, the user's own configuration, keys and agent.
 */
export function sshCommand(auth: SshAuth | undefined, connectMs: number): string {
  const { privateKeyFile, knownHostsFile } = auth ?? {};
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    `ConnectTimeout=${Math.ceil(connectMs / 1000)}`,
    `ServerAliveInterval=${keepAliveSeconds}`,
    'ServerAliveCountMax=3',
    ...(privateKeyFile === undefined
      ? []
      : ['IdentitiesOnly=yes', `IdentityFile=${sshPath(privateKeyFile)}`]),
    ...(knownHostsFile === undefined
      ? []
      : [
          `UserKnownHostsFile=${sshPath(knownHostsFile)}`,
          'GlobalKnownHostsFile=/dev/null',
          'UpdateHostKeys=no',
        ]),
  ];
  // '-F none' leaves ~/.ssh/config and /etc/ssh/ssh_config alone.
  const config = auth === undefined ? [] : ['-F', 'none'];
  return ['ssh', ...config, ...options.flatMap((option) => ['-o', option])].map(quote).join(' ');
}

/** ssh splits paths at spaces and expands %; git's shell takes the command apart before that. */
function sshPath(path: string): string {
  return `"${path.replaceAll('%', '%%')}"`;
}

function quote(word: string): string {
  return /^[\w/.=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
