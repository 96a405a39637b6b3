import { readAuthorization } from '../remote/credentials.ts';
import { createGitDispatcher } from '../remote/git-http.ts';
import { listRemoteRefs, type RemoteListing } from '../remote/list-remote-refs.ts';
import { checkSshFiles } from './check-ssh-files.ts';
import { authorizationVariables } from './git-environment.ts';
import { lsRemote } from './ls-remote.ts';
import type { NativeGit } from './native-git.ts';
import type { NativeSetup } from './native-repository.ts';

/** What a repository says of the refs that were asked for, and with what it may be fetched from. */
export interface RemoteAnswer extends RemoteListing {
  /** It has no ref of any name; looked at only when none of those asked for is there. */
  readonly isEmpty: boolean;
  /** For the environment of the git that fetches. */
  readonly variables: Readonly<Record<string, string>>;
  /** What must not get into a message. */
  readonly secrets: readonly string[];
}

export interface NativeRemote {
  find(git: NativeGit, names: readonly string[], signal: AbortSignal): Promise<RemoteAnswer>;
  close(): void;
}

type List = (names: readonly string[]) => Promise<RemoteListing>;

/**
 * The side that the native Git asks where a ref is. An HTTP server is asked through our own client: a poll then starts
 * no program, and deadlines, redirects and faults are the same as with the embedded Git. Others are asked by git.
 */
export function openRemote(setup: NativeSetup): NativeRemote {
  const { location, timeouts } = setup;
  if (location.kind !== 'http') {
    const url = location.kind === 'local' ? location.path : location.url;
    const { shown } = location;
    const silenceMs = timeouts.connectMs + timeouts.firstByteMs;
    return {
      async find(git, names, signal) {
        if (location.kind === 'ssh') await checkSshFiles(setup.ssh ?? {});
        const list: List = (wanted) => lsRemote(git, wanted, { url, shown, silenceMs, signal });
        return { ...(await listOrAll(list, names)), variables: {}, secrets: [] };
      },
      close: () => undefined,
    };
  }
  const dispatcher = createGitDispatcher(timeouts);
  return {
    async find(_git, names, signal) {
      const authorization = await readAuthorization(setup.auth, location.credentials);
      const options = {
        dispatcher,
        signal,
        authorization,
        timeouts,
        shown: location.shown,
        maxBytes: setup.maxPackBytes,
      };
      const url = location.url.href.replace(/\/$/, '');
      const answer = await listOrAll((wanted) => listRemoteRefs(url, wanted, options), names);
      const variables = authorizationVariables(answer.url, authorization);
      return { ...answer, variables, secrets: secretsOf(authorization) };
    },
    close() {
      void dispatcher.close();
    },
  };
}

async function listOrAll(
  list: List,
  names: readonly string[],
): Promise<RemoteListing & { isEmpty: boolean }> {
  const listing = await list(names);
  if (listing.refs.length > 0) return { ...listing, isEmpty: false };
  const all = await list([]);
  return { ...all, refs: [], isEmpty: all.refs.length === 0 };
}

/** The header's value, what it encodes, and the password in that. */
function secretsOf(authorization: string | undefined): string[] {
  if (authorization === undefined) return [];
  const encoded = authorization.replace(/^Basic /, '');
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  return [encoded, decoded, decoded.replace(/^[^:]*:/, '')];
}
