import { readFile } from 'node:fs/promises';
import { FleetError } from '../../model/fleet-error.ts';
import type { GitAuth } from '../../model/settings.ts';
import type { UrlCredentials } from './git-url.ts';

/** Forges that take a token as the password accept any user name with it. */
const anyUsername = 'git';

/**
 * The Authorization header for the Git server; undefined when there are no credentials.
 * The token file is read at each call, so that a rotated token is used at once; it wins over the URL's password.
 * @throws FleetError GitUnauthorized when the file cannot be read or is empty.
 */
export async function readAuthorization(
  auth: GitAuth | undefined,
  fromUrl: UrlCredentials | undefined,
): Promise<string | undefined> {
  if (auth === undefined)
    return fromUrl === undefined ? undefined : basic(fromUrl.username, fromUrl.password);
  const username = auth.username ?? (fromUrl?.username === '' ? undefined : fromUrl?.username) ?? anyUsername;
  return basic(username, await readToken(auth.tokenFile));
}

async function readToken(path: string): Promise<string> {
  let token: string;
  try {
    token = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new FleetError('GitUnauthorized', `the token file ${path} cannot be read (${code})`);
  }
  if (token === '') throw new FleetError('GitUnauthorized', `the token file ${path} is empty`);
  return token;
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
