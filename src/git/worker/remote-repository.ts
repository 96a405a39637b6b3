import type { Dispatcher } from 'undici';
import { FleetError } from '../../model/fleet-error.ts';
import type { GitAuth } from '../../model/settings.ts';
import type { GitTimeouts } from '../git-source.ts';
import { NeedsNativeGit } from '../needs-native-git.ts';
import { countPacks, maxPacks } from '../mirror/generation-folders.ts';
import { type Mirror, openMirror } from '../mirror/mirror.ts';
import type { Tip } from '../objects/read-tip.ts';
import { candidateNames, type ChosenRef, chooseRef } from '../remote/choose-ref.ts';
import { readAuthorization } from '../remote/credentials.ts';
import { createBareRepository, fetchCommit } from '../remote/fetch-commit.ts';
import { createGitDispatcher, type GitHttpOptions } from '../remote/git-http.ts';
import type { UrlCredentials } from '../remote/git-url.ts';
import { listRemoteRefs } from '../remote/list-remote-refs.ts';
import { inSeconds } from '../remote/network-fault.ts';
import { isOid, type RemoteRef } from '../remote/remote-refs.ts';
import { ObjectTooLarge } from '../objects/pack-file.ts';
import type { Repository } from './repository.ts';

export interface RemoteSetup {
  readonly kind: 'remote';
  /** Without credentials. */
  readonly url: string;
  readonly shown: string;
  readonly credentials?: UrlCredentials;
  readonly auth?: GitAuth;
  readonly ref: string;
  readonly mirrorDir: string;
  readonly timeouts: GitTimeouts;
  readonly maxPackBytes: number;
}

const sha256Digits = 64;

/** A ref of a Git server, mirrored on disk and brought up to date by as little as possible. */
export function openRemoteRepository(setup: RemoteSetup): Repository {
  const mirror = openMirror(setup.mirrorDir);
  const dispatcher = createGitDispatcher(setup.timeouts);
  let damaged = false;

  async function refresh(http: GitHttpOptions): Promise<Tip | null> {
    const tip = mirror.tip();
    if (tip !== undefined && !damaged && tip.commit === setup.ref) return tip;
    const chosen = await findRef(setup, http, tip !== undefined);
    if (chosen === null) return null;
    const session = { setup, http };
    if (damaged) {
      const mended = await copyAnew(mirror, chosen, session);
      mirror.setPreviousAside();
      damaged = false;
      return mended;
    }
    if (tip?.commit === chosen.commit) return tip;
    return (await moveOn(mirror, chosen, session)) ?? (await copyAnew(mirror, chosen, session));
  }

  return {
    async sync(signal) {
      const deadline = AbortSignal.timeout(setup.timeouts.totalMs);
      const within = AbortSignal.any([signal, deadline]);
      try {
        return await refresh(await httpOptions(setup, dispatcher, within));
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.aborted) throw tooSlow(setup);
        if (error instanceof FleetError) throw error;
        throw unreadable(setup, error);
      }
    },
    lastKnown: () => mirror.tip() ?? null,
    read(oid, { revision, maxBytes }) {
      try {
        const found = mirror.read(oid, maxBytes);
        damaged ||= found === undefined && mirror.tip()?.commit === revision;
        return found;
      } catch (error) {
        damaged ||= !(error instanceof ObjectTooLarge);
        throw error;
      }
    },
    close() {
      mirror.close();
      void dispatcher.close();
    },
  };
}

interface Session {
  readonly setup: RemoteSetup;
  readonly http: GitHttpOptions;
}

/** Fetches what is new; undefined when the copy cannot grow on: none yet, many packs, history rewritten, damage. */
async function moveOn(mirror: Mirror, chosen: ChosenRef, { setup, http }: Session): Promise<Tip | undefined> {
  const before = mirror.tip();
  if (before === undefined || countPacks(mirror.gitdir()) >= maxPacks) return undefined;
  const gitdir = mirror.gitdir();
  try {
    const oid = await fetchCommit({ gitdir, url: setup.url, remoteRef: chosen.name, mode: 'onward' }, http);
    // After a rewrite the server may have sent the whole history; such a copy is not grown any further.
    const grows = oid !== null && mirror.isForward(before.commit, chosen.commit);
    return grows ? mirror.adopt(gitdir, oid) : undefined;
  } catch (error) {
    // What the transport reports would befall a new copy as well; anything else is a matter of this one.
    http.signal.throwIfAborted();
    if (error instanceof FleetError) throw error;
    return undefined;
  }
}

/** A shallow copy in a new folder, taken into use once it is whole. */
async function copyAnew(mirror: Mirror, chosen: ChosenRef, { setup, http }: Session): Promise<Tip> {
  const gitdir = mirror.nextGitdir();
  await createBareRepository(gitdir);
  const oid = await fetchCommit({ gitdir, url: setup.url, remoteRef: chosen.name, mode: 'shallow' }, http);
  // A server that does not have what was asked for by id sends no pack, and says so only in passing.
  if (oid === null || countPacks(gitdir) === 0) throw refNotFound(setup);
  return mirror.adopt(gitdir, oid);
}

/** Where the ref is; null when the server has no ref whatever and never had. */
async function findRef(
  setup: RemoteSetup,
  http: GitHttpOptions,
  hadCommits: boolean,
): Promise<ChosenRef | null> {
  if (setup.ref.length === sha256Digits && isOid(setup.ref)) throw otherFormat(setup, 'sha256');
  if (isOid(setup.ref)) return { name: setup.ref, oid: setup.ref, commit: setup.ref };
  const chosen = chooseRef(setup.ref, await listRefs(setup, candidateNames(setup.ref), http));
  if (chosen !== undefined) return chosen;
  const isEmpty = !hadCommits && (await listRefs(setup, [], http)).length === 0;
  if (isEmpty) return null;
  throw refNotFound(setup);
}

async function listRefs(
  setup: RemoteSetup,
  prefixes: readonly string[],
  http: GitHttpOptions,
): Promise<readonly RemoteRef[]> {
  const { refs, objectFormat } = await listRemoteRefs(setup.url, prefixes, http);
  if (objectFormat === 'sha1') return refs;
  throw otherFormat(setup, objectFormat);
}

function otherFormat({ shown }: RemoteSetup, format: string): NeedsNativeGit {
  return new NeedsNativeGit(`${shown} uses ${format} object ids, which the embedded Git cannot read`);
}

async function httpOptions(
  setup: RemoteSetup,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<GitHttpOptions> {
  return {
    dispatcher,
    signal,
    shown: setup.shown,
    authorization: await readAuthorization(setup.auth, setup.credentials),
    timeouts: setup.timeouts,
    maxBytes: setup.maxPackBytes,
  };
}

function refNotFound(setup: RemoteSetup): FleetError {
  const what = isOid(setup.ref) ? 'commit' : 'branch or tag';
  return new FleetError('GitRefNotFound', `${setup.shown} has no ${what} '${setup.ref}'`);
}

function tooSlow(setup: RemoteSetup): FleetError {
  return new FleetError(
    'GitUnavailable',
    `${setup.shown} did not bring the revision within ${inSeconds(setup.timeouts.totalMs)}`,
  );
}

/** The server spoke Git, but what it sent does not add up: cut off, refused half-way or damaged. */
function unreadable(setup: RemoteSetup, error: unknown): FleetError {
  const reason = error instanceof Error ? error.message : String(error);
  return new FleetError(
    'GitUnavailable',
    `${setup.shown} sent a revision that cannot be read: ${reason.slice(0, 200)}`,
  );
}
