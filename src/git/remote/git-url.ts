import { FleetError } from '../../model/fleet-error.ts';

/** What source.url says, taken apart. `shown` is the URL without anything secret: the only form for messages. */
export type GitLocation =
  | {
      readonly kind: 'http';
      readonly url: URL;
      readonly shown: string;
      readonly credentials?: UrlCredentials;
    }
  | { readonly kind: 'local'; readonly path: string; readonly shown: string }
  /** What the embedded Git does not speak; `url` as git takes it, without a password. */
  | { readonly kind: 'ssh' | 'git'; readonly url: string; readonly shown: string };

export interface UrlCredentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Takes a source URL apart; credentials in it move out of the URL that is requested.
 * @throws FleetError ConfigInvalid for anything that Git would not read from.
 */
export function parseGitUrl(text: string): GitLocation {
  if (text.startsWith('/')) return { kind: 'local', path: text, shown: text };
  if (isScpLike(text)) return { kind: 'ssh', url: text, shown: text.replace(/^[^@/]*@/, '') };
  const url = URL.parse(text);
  if (url === null || (url.host === '' && url.protocol !== 'file:')) {
    throw new FleetError('ConfigInvalid', 'source.url is neither a URL of a repository nor an absolute path');
  }
  switch (url.protocol) {
    case 'http:':
    case 'https:':
      return httpLocation(url);
    case 'file:':
      return { kind: 'local', path: decodeURIComponent(url.pathname), shown: url.pathname };
    case 'ssh:':
    case 'git:':
      return {
        kind: url.protocol === 'ssh:' ? 'ssh' : 'git',
        url: withoutPassword(url),
        shown: redactUrl(text),
      };
    default:
      throw new FleetError(
        'ConfigInvalid',
        `source.url has the scheme ${url.protocol}//, which is none of https, http, ssh, git and file`,
      );
  }
}

/** A URL without user, password and query, for messages. What is no URL comes back without anything before an '@'. */
export function redactUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.host === '') return text.replace(/^.*@/, '');
  return `${url.protocol}//${url.host}${url.pathname}`;
}

function httpLocation(url: URL): GitLocation {
  const credentials = { username: decode(url.username), password: decode(url.password) };
  const shown = redactUrl(url.href);
  const clean = new URL(url);
  clean.username = '';
  clean.password = '';
  clean.hash = '';
  clean.pathname = clean.pathname.replace(/\/+$/, '');
  const hasCredentials = credentials.username !== '' || credentials.password !== '';
  return { kind: 'http', url: clean, shown, ...(hasCredentials ? { credentials } : {}) };
}

/** A stray '%' in a hand-written password is no reason to fail. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The user stays: ssh needs it. A password in such a URL serves nobody. */
function withoutPassword(url: URL): string {
  const clean = new URL(url);
  clean.password = '';
  return clean.href;
}

/** git@host:path */
function isScpLike(text: string): boolean {
  return /^[^/@:]+@[^/@:]+:/.test(text);
}
