import type { z } from 'zod';

import { defined } from '../../model/defined.ts';
import type { GitSourceSettings } from '../../model/settings.ts';
import { type PathContext, resolvePath } from './resolve-path.ts';
import { nonEmpty, strict } from './schema.ts';

/** `spec.source.auth`: a token for https://, or files for ssh. */
export function gitAuthSchema(context: PathContext) {
  const path = nonEmpty.transform((text) => resolvePath(text, context)).optional();
  return strict({
    username: nonEmpty.optional(),
    tokenFile: path,
    privateKeyFile: path,
    knownHostsFile: path,
  });
}

type GitAuthInput = z.output<ReturnType<typeof gitAuthSchema>>;

/** The credentials of either kind, each in its place. */
export function authSettings(auth: GitAuthInput | undefined): Pick<GitSourceSettings, 'auth' | 'ssh'> {
  const { username, tokenFile, privateKeyFile, knownHostsFile } = auth ?? {};
  const ssh = defined({ privateKeyFile, knownHostsFile });
  return {
    ...(tokenFile === undefined ? {} : { auth: { tokenFile, ...defined({ username }) } }),
    ...(Object.keys(ssh).length === 0 ? {} : { ssh }),
  };
}

/** What does not go together; the key that a fault is at, and what is wrong with it. */
export function faultOfAuth(
  auth: GitAuthInput | undefined,
  url: string,
): { readonly key: keyof GitAuthInput; readonly message: string } | undefined {
  if (auth === undefined) return undefined;
  if (!isSshUrl(url)) {
    const key = (['privateKeyFile', 'knownHostsFile'] as const).find((name) => auth[name] !== undefined);
    if (key !== undefined) return { key, message: 'is for ssh:// addresses; others take a tokenFile' };
    return auth.tokenFile === undefined ? { key: 'tokenFile', message: 'is required' } : undefined;
  }
  if (auth.tokenFile !== undefined) {
    return { key: 'tokenFile', message: 'is for https:// addresses; ssh takes a privateKeyFile' };
  }
  return auth.username === undefined
    ? undefined
    : {
        key: 'username',
        message: 'is for https:// addresses; an ssh address names its user: ssh://git@host/path',
      };
}

/** ssh://…, and 'git@host:path', which is what Git itself takes for ssh. */
export function isSshUrl(url: string): boolean {
  return /^ssh:\/\//i.test(url) || /^[\w.-]+@[\w.-]+:/.test(url);
}
