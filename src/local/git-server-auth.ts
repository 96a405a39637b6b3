import { timingSafeEqual } from 'node:crypto';

/** Who may use the server; any user name will do unless one is set. */
export interface GitServerAuth {
  readonly username?: string;
  readonly token: string;
}

/** Whether an Authorization header carries what `auth` asks for. */
export function isAuthorized(auth: GitServerAuth | undefined, header: string | undefined): boolean {
  if (auth === undefined) return true;
  const encoded = /^Basic (.+)$/i.exec(header ?? '')?.[1] ?? '';
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  const username = decoded.slice(0, Math.max(0, colon));
  const usernameFits = auth.username === undefined || auth.username === username;
  return usernameFits && isSame(decoded.slice(colon + 1), auth.token);
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
