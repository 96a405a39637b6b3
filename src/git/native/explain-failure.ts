import { FleetError } from '../../model/fleet-error.ts';
import type { ErrorCode } from '../../model/error-codes.ts';

/** What git's own words mean. */
export type GitFailure =
  /** The way to the server or the server itself: another copy would fare no better. */
  | { readonly kind: 'transport'; readonly error: FleetError }
  | { readonly kind: 'noSuchRef' }
  /** A matter of the copy, or something unheard of. */
  | { readonly kind: 'other'; readonly error: FleetError };

interface Meaning {
  readonly words: RegExp;
  readonly says: string;
  readonly code?: ErrorCode;
}

/** In order: the first that fits counts. */
const meanings: readonly Meaning[] = [
  {
    words: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    says: 'has another host key than the one that is trusted: unless its operators changed it, somebody is in between',
  },
  {
    words: /Host key verification failed|No \w+ host key is known/,
    says:
      'has a host key that is not known: check it with its operators and add it to source.auth.knownHostsFile ' +
      '(ssh-keyscan prints it)',
  },
  {
    words: /UNPROTECTED PRIVATE KEY FILE|bad permissions/,
    says: 'was not shown the ssh key: others may read its file, so that ssh does not use it (chmod 600)',
    code: 'GitUnauthorized',
  },
  {
    words: /Permission denied|Load key .*:|Too many authentication failures/,
    says: 'refused the ssh key',
    code: 'GitUnauthorized',
  },
  {
    words: /Authentication failed|returned error: 40[13]|could not read (Username|Password)/,
    says: 'refused the credentials',
    code: 'GitUnauthorized',
  },
  {
    words: /ssh: (command )?not found|cannot run ssh/,
    says: 'needs the program ssh on PATH, which is not installed',
  },
  {
    words: /Could not resolve host|Name or service not known|unable to look up|nodename nor servname/,
    says: 'cannot be found: its host name does not resolve',
  },
  { words: /Connection refused|Failed to connect/, says: 'refused the connection' },
  { words: /timed out|Timeout/, says: 'did not answer in time' },
  { words: /SSL|TLS|certificate/, says: 'has a TLS certificate or setup that is not trusted' },
  {
    words: /does not appear to be a git repository|not a git repository|repository '.*' not found/i,
    says: 'has no Git repository there',
  },
  { words: /returned error: 5\d\d/, says: 'answered with an error of its own' },
  {
    words: /early EOF|hung up|disconnect|Connection reset|Broken pipe|RPC failed|premature|closed by remote/,
    says: 'closed the connection before its answer was complete',
  },
];

const missingRef = /not our ref|find remote ref|unadvertised object|no such remote ref/i;
const maxShownChars = 200;

/** Reads what git printed when it failed. `shown` is the repository's address; no `secret` gets into the message. */
export function explainFailure(stderr: string, shown: string, secrets: readonly string[] = []): GitFailure {
  if (missingRef.test(stderr)) return { kind: 'noSuchRef' };
  const meaning = meanings.find(({ words }) => words.test(stderr));
  if (meaning !== undefined) {
    return {
      kind: 'transport',
      error: new FleetError(meaning.code ?? 'GitUnavailable', `${shown} ${meaning.says}`),
    };
  }
  const reason = lastWords(stderr, secrets);
  return { kind: 'other', error: new FleetError('GitUnavailable', `${shown} could not be read: ${reason}`) };
}

/** The last line that git itself wrote. What a server says may repeat what was sent to it, and is left out. */
function lastWords(stderr: string, secrets: readonly string[]): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => /^(fatal|error|warning|ssh|kex\w*): /.test(line));
  const line = lines.findLast((text) => text.startsWith('fatal: ')) ?? lines.at(-1) ?? 'git does not say why';
  return secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '***'), line)
    .slice(0, maxShownChars);
}
