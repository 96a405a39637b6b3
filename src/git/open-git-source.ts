import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { GitSourceSettings } from '../model/settings.ts';
import { chooseBackend } from './choose-backend.ts';
import { fallBack } from './fall-back.ts';
import { followRepository } from './follow-repository.ts';
import {
  defaultGitTimeouts,
  defaultMaxBlobBytes,
  embeddedMaxPackBytes,
  type Environment,
  type GitSource,
  type GitTimeouts,
  nativeMaxPackBytes,
} from './git-source.ts';
import { hasGenerations } from './mirror/generation-folders.ts';
import { removeOldMirrors } from './mirror/remove-old-mirrors.ts';
import { type LazySlot, lazySlot } from './mirror/slot-lock.ts';
import { createNativeRepository } from './native/native-repository.ts';
import { type GitLocation, parseGitUrl } from './remote/git-url.ts';
import type { RepositoryClient } from './repository-client.ts';
import { createWorkerClient, type WorkerClientOptions } from './worker/worker-client.ts';
import type { WorkerSetup } from './worker/worker-messages.ts';

export interface OpenGitSourceOptions {
  /** The mirror lives in stateDir/git. */
  readonly stateDir: string;
  /** Where the native Git finds its program, proxies and ssh agent; without it, in the usual folders. */
  readonly environment?: Environment;
  readonly timeouts?: Partial<GitTimeouts>;
  readonly startWorker?: WorkerClientOptions['startWorker'];
}

/** What a poll may take beyond its own deadline for pure computation before its worker counts as stuck. */
const computationMs = 60_000;

/** All that is needed to open a source with either Git. */
interface Opening {
  readonly settings: GitSourceSettings;
  readonly location: GitLocation;
  readonly timeouts: GitTimeouts;
  readonly options: OpenGitSourceOptions;
}

/**
 * Follows one ref of a repository, on a Git server or on this machine. Nothing is asked of it before the first poll.
 * @throws FleetError ConfigInvalid for a URL that the chosen Git does not speak.
 */
export function openGitSource(settings: GitSourceSettings, options: OpenGitSourceOptions): GitSource {
  const location = parseGitUrl(settings.url);
  const timeouts = { ...defaultGitTimeouts, ...options.timeouts };
  const opening = { settings, location, timeouts, options };
  return followRepository({ client: openClient(opening), shown: location.shown, path: settings.path });
}

function openClient(opening: Opening): RepositoryClient {
  switch (chooseBackend(opening.settings.backend ?? 'auto', opening.location)) {
    case 'embedded':
      return openEmbedded(opening);
    case 'native':
      return openNative(opening);
    case 'either':
      // What the embedded Git could not do once, it is not asked for again at each start.
      if (hasGenerations(mirrorDir(opening, 'native'))) return openNative(opening);
      return fallBack(openEmbedded(opening), () => openNative(opening));
  }
}

function openEmbedded(opening: Opening): RepositoryClient {
  const { settings, location, timeouts, options } = opening;
  const slot = mirrorSlot(opening, 'embedded');
  const maxBlobBytes = settings.maxFileBytes ?? defaultMaxBlobBytes;

  async function setup(): Promise<WorkerSetup> {
    if (location.kind !== 'http') {
      const path = location.kind === 'local' ? location.path : location.url;
      return { repository: { kind: 'local', path, ref: settings.ref }, maxBlobBytes };
    }
    return {
      maxBlobBytes,
      repository: {
        kind: 'remote',
        url: location.url.href.replace(/\/$/, ''),
        shown: location.shown,
        ...(location.credentials === undefined ? {} : { credentials: location.credentials }),
        ...(settings.auth === undefined ? {} : { auth: settings.auth }),
        ref: settings.ref,
        mirrorDir: await slot.takeDir(),
        timeouts,
        maxPackBytes: settings.maxPackBytes ?? embeddedMaxPackBytes,
      },
    };
  }

  return createWorkerClient({
    setup,
    stuckAfterMs: timeouts.totalMs + computationMs,
    onClose: slot.release,
    ...(options.startWorker === undefined ? {} : { startWorker: options.startWorker }),
  });
}

function openNative(opening: Opening): RepositoryClient {
  const { settings, location, timeouts, options } = opening;
  const slot = mirrorSlot(opening, 'native');
  return createNativeRepository({
    location,
    timeouts,
    ref: settings.ref,
    ...(settings.auth === undefined ? {} : { auth: settings.auth }),
    ...(settings.ssh === undefined ? {} : { ssh: settings.ssh }),
    takeDir: slot.takeDir,
    onClose: slot.release,
    environment: options.environment ?? {},
    maxPackBytes: settings.maxPackBytes ?? nativeMaxPackBytes,
    maxBlobBytes: settings.maxFileBytes ?? defaultMaxBlobBytes,
  });
}

/** The slot for our mirror; taking it clears away mirrors that nobody wants any more. */
function mirrorSlot(opening: Opening, backend: 'embedded' | 'native'): LazySlot {
  const slot = lazySlot(mirrorDir(opening, backend));
  return {
    release: slot.release,
    async takeDir() {
      const dir = await slot.takeDir();
      removeOldMirrors(join(opening.options.stateDir, 'git'), Date.now());
      return dir;
    },
  };
}

/** A folder for a repository, ref and Git, readable and unambiguous, with nothing secret in it. */
function mirrorDir({ settings, location, options }: Opening, backend: 'embedded' | 'native'): string {
  const readable = location.shown
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .slice(0, 60);
  const exact = createHash('sha256').update(`${location.shown}\n${settings.ref}`).digest('hex').slice(0, 12);
  const name = `${readable}-${exact}${backend === 'native' ? '-native' : ''}`;
  return join(options.stateDir, 'git', name);
}
