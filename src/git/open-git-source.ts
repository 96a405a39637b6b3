import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { GitSourceSettings } from '../model/settings.ts';
import {
  defaultGitTimeouts,
  defaultMaxBlobBytes,
  defaultMaxPackBytes,
  type GitSource,
  type GitTimeouts,
} from './git-source.ts';
import { type Slot, takeSlot } from './mirror/slot-lock.ts';
import { type GitLocation, parseGitUrl } from './remote/git-url.ts';
import { createWorkerClient, type WorkerClientOptions } from './worker/worker-client.ts';
import type { WorkerSetup } from './worker/worker-messages.ts';
import { createWorkerGitSource } from './worker-git-source.ts';

export interface OpenGitSourceOptions {
  /** The mirror lives in stateDir/git. */
  readonly stateDir: string;
  readonly timeouts?: Partial<GitTimeouts>;
  readonly maxBlobBytes?: number;
  readonly maxPackBytes?: number;
  readonly startWorker?: WorkerClientOptions['startWorker'];
}

/** What a poll may take beyond its own deadline for pure computation before its worker counts as stuck. */
const computationMs = 60_000;

/**
 * Follows one ref of a repository, on a Git server or on this machine. Nothing is asked of it before the first poll.
 * @throws FleetError ConfigInvalid for a URL that the embedded Git does not speak.
 */
export function openGitSource(settings: GitSourceSettings, options: OpenGitSourceOptions): GitSource {
  const location = parseGitUrl(settings.url);
  const timeouts = { ...defaultGitTimeouts, ...options.timeouts };
  let slot: Slot | undefined;

  async function setup(): Promise<WorkerSetup> {
    const maxBlobBytes = options.maxBlobBytes ?? defaultMaxBlobBytes;
    if (location.kind === 'local') {
      return { repository: { kind: 'local', path: location.path, ref: settings.ref }, maxBlobBytes };
    }
    slot ??= await takeSlot(join(options.stateDir, 'git', mirrorName(location, settings.ref)));
    return {
      maxBlobBytes,
      repository: {
        kind: 'remote',
        url: location.url.href.replace(/\/$/, ''),
        shown: location.shown,
        ...(location.credentials === undefined ? {} : { credentials: location.credentials }),
        ...(settings.auth === undefined ? {} : { auth: settings.auth }),
        ref: settings.ref,
        mirrorDir: slot.dir,
        timeouts,
        maxPackBytes: options.maxPackBytes ?? defaultMaxPackBytes,
      },
    };
  }

  return createWorkerGitSource({
    client: createWorkerClient({
      setup,
      stuckAfterMs: timeouts.totalMs + computationMs,
      ...(options.startWorker === undefined ? {} : { startWorker: options.startWorker }),
    }),
    shown: location.shown,
    path: settings.path,
    onClose() {
      slot?.release();
      return Promise.resolve();
    },
  });
}

/** A folder name for a repository and ref, readable and unambiguous, with nothing secret in it. */
function mirrorName(location: GitLocation, ref: string): string {
  const readable = location.shown
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .slice(0, 60);
  const exact = createHash('sha256').update(`${location.shown}\n${ref}`).digest('hex').slice(0, 12);
  return `${readable}-${exact}`;
}
