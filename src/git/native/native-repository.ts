import { FleetError } from '../../model/fleet-error.ts';
import type { GitAuth, SshAuth } from '../../model/settings.ts';
import type { Environment, GitTimeouts } from '../git-source.ts';
import { ObjectTooLarge } from '../objects/pack-file.ts';
import type { Tip } from '../objects/read-tip.ts';
import { candidateNames, type ChosenRef, chooseRef } from '../remote/choose-ref.ts';
import { packTooLargeMessage } from '../remote/git-http.ts';
import type { GitLocation } from '../remote/git-url.ts';
import { heldRef } from '../remote/fetch-commit.ts';
import { inSeconds } from '../remote/network-fault.ts';
import { isOid } from '../remote/remote-refs.ts';
import { type RepositoryClient, tooLargeMessage } from '../repository-client.ts';
import { createGeneration, fetchGeneration } from './fetch-generation.ts';
import { type NativeGit, openNativeGit } from './native-git.ts';
import { type NativeMirror, openNativeMirror } from './native-mirror.ts';
import { createObjectReader } from './object-reader.ts';
import { openRemote, type RemoteAnswer } from './native-remote.ts';
import { sshCommand } from './ssh-command.ts';

export interface NativeSetup {
  readonly location: GitLocation;
  readonly ref: string;
  readonly auth?: GitAuth;
  readonly ssh?: SshAuth;
  /** Finds the folder for the mirror, which nobody else writes to. */
  readonly takeDir: () => Promise<string>;
  readonly environment: Environment;
  readonly timeouts: GitTimeouts;
  readonly maxPackBytes: number;
  readonly maxBlobBytes: number;
  readonly onClose: () => Promise<void>;
}

/** A ref of a repository anywhere, mirrored and read by the git on PATH. */
export function createNativeRepository(setup: NativeSetup): RepositoryClient {
  const remote = openRemote(setup);
  let opening: Promise<Opened> | undefined;
  let mirror: NativeMirror | undefined;
  let damaged = false;

  /** Git is looked for until it is found; the mirror is opened once. */
  async function open(signal: AbortSignal): Promise<Opened> {
    opening ??= openMirror(setup, signal);
    try {
      const opened = await opening;
      mirror = opened.mirror;
      return opened;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  async function refresh(signal: AbortSignal): Promise<Tip | null> {
    const opened = await open(signal);
    const tip = opened.mirror.tip();
    if (tip !== undefined && !damaged && tip.commit === setup.ref) return tip;
    const answer = await remote.find(opened.git, candidateNames(setup.ref), signal);
    const chosen = chosenFrom(setup, answer, tip !== undefined);
    if (chosen === null) return null;
    if (damaged) {
      const mended = await copyAnew(opened, { setup, answer, chosen, signal });
      opened.mirror.setPreviousAside();
      damaged = false;
      return mended;
    }
    if (tip?.commit === chosen.commit) return tip;
    const wanted = { setup, answer, chosen, signal };
    return (await moveOn(opened, wanted)) ?? (await copyAnew(opened, wanted));
  }

  return {
    async sync(signal) {
      const deadline = AbortSignal.timeout(setup.timeouts.totalMs);
      try {
        return await refresh(AbortSignal.any([signal, deadline]));
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.aborted) throw tooSlow(setup);
        throw error;
      }
    },
    lastKnown: async (signal) => (await open(signal)).mirror.tip() ?? null,
    async read({ oid, revision }) {
      try {
        const found = await mirror?.read(oid);
        if (found !== undefined) return found.bytes;
      } catch (error) {
        if (error instanceof ObjectTooLarge) {
          throw new FleetError('ManifestInvalid', tooLargeMessage(error.sizeBytes, setup.maxBlobBytes));
        }
        damaged = true;
        throw new FleetError('GitUnavailable', error instanceof Error ? error.message : String(error));
      }
      damaged ||= mirror?.tip()?.commit === revision;
      throw new FleetError('GitUnavailable', `object ${oid} of revision ${revision} is no longer held`);
    },
    async close() {
      (await opening?.catch(() => undefined))?.mirror.close();
      remote.close();
      await setup.onClose();
    },
  };
}

/** One commit of a repository on this machine: it takes milliseconds. */
const readTipMs = 60_000;

interface Opened {
  readonly git: NativeGit;
  readonly mirror: NativeMirror;
}

async function openMirror(setup: NativeSetup, signal: AbortSignal): Promise<Opened> {
  const { location, environment, timeouts, maxBlobBytes } = setup;
  const dir = await setup.takeDir();
  const git = await openNativeGit({
    environment,
    dir,
    signal,
    protocol: location.kind === 'local' ? 'file' : location.kind,
    ...(location.kind === 'ssh' ? { sshCommand: sshCommand(setup.ssh, timeouts.connectMs) } : {}),
  });
  const mirror = await openNativeMirror({
    dir,
    readTip: (gitdir) => readTip(git, gitdir),
    openObjects: (gitdir) => createObjectReader({ gitdir, env: git.env, maxBytes: maxBlobBytes }),
  });
  return { git, mirror };
}

/** The commit that a generation holds, an annotated tag followed; undefined when there is none or it is damaged. */
async function readTip(git: NativeGit, gitdir: string): Promise<Tip | undefined> {
  const args = ['--git-dir', gitdir, 'log', '-1', '--no-show-signature', '--format=%H %T', heldRef, '--'];
  const outcome = await git.run(args, { signal: AbortSignal.timeout(readTipMs) });
  const [commit = '', tree = ''] = outcome.kind === 'done' ? outcome.stdout.trim().split(' ') : [];
  return isOid(commit) && isOid(tree) ? { commit, tree } : undefined;
}

/** Where the ref is; null when the server has no ref whatever and never had. */
function chosenFrom(setup: NativeSetup, answer: RemoteAnswer, hadCommits: boolean): ChosenRef | null {
  if (isOid(setup.ref)) return { name: setup.ref, oid: setup.ref, commit: setup.ref };
  const chosen = chooseRef(setup.ref, answer.refs);
  if (chosen !== undefined) return chosen;
  if (answer.isEmpty && !hadCommits) return null;
  throw refNotFound(setup);
}

interface Wanted {
  readonly setup: NativeSetup;
  readonly answer: RemoteAnswer;
  readonly chosen: ChosenRef;
  readonly signal: AbortSignal;
}

/** Fetches what is new; undefined when the copy cannot grow on: none yet, many packs, damage. */
async function moveOn({ git, mirror }: Opened, wanted: Wanted): Promise<Tip | undefined> {
  const growing = mirror.growing();
  if (growing === undefined) return undefined;
  const failure = await fetchGeneration(git, fetchOf(growing.gitdir, wanted));
  switch (failure?.kind) {
    case undefined:
      return await mirror.adopt(growing);
    case 'transport':
      throw failure.error;
    case 'tooLarge':
    case 'noSuchRef':
    case 'other':
      return undefined;
  }
}

/** A shallow copy in a new folder, taken into use once it is whole. */
async function copyAnew({ git, mirror }: Opened, wanted: Wanted): Promise<Tip> {
  const { setup, answer, signal } = wanted;
  const folder = mirror.next();
  await createGeneration(git, folder.gitdir, { objectFormat: answer.objectFormat, signal });
  const failure = await fetchGeneration(git, fetchOf(folder.gitdir, wanted));
  switch (failure?.kind) {
    case undefined:
      return await mirror.adopt(folder);
    case 'transport':
    case 'other':
      throw failure.error;
    case 'noSuchRef':
      throw refNotFound(setup);
    case 'tooLarge':
      throw new FleetError('GitUnavailable', packTooLargeMessage(setup.location.shown, setup.maxPackBytes));
  }
}

function fetchOf(gitdir: string, { setup, answer, chosen, signal }: Wanted) {
  const { location, maxPackBytes, timeouts } = setup;
  return {
    gitdir,
    oid: chosen.oid,
    url: answer.url,
    shown: location.shown,
    maxPackBytes,
    silence: { firstMs: timeouts.connectMs + timeouts.firstByteMs, nextMs: timeouts.idleMs },
    variables: answer.variables,
    secrets: answer.secrets,
    signal,
  };
}

function refNotFound({ ref, location }: NativeSetup): FleetError {
  const what = isOid(ref) ? 'commit' : 'branch or tag';
  return new FleetError('GitRefNotFound', `${location.shown} has no ${what} '${ref}'`);
}

function tooSlow({ location, timeouts }: NativeSetup): FleetError {
  const within = inSeconds(timeouts.totalMs);
  return new FleetError('GitUnavailable', `${location.shown} did not bring the revision within ${within}`);
}
