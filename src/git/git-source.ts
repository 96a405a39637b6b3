import type { Snapshot } from '../model/snapshot.ts';

/** One ref of one repository, followed. Calls of `poll` that overlap run one after the other. */
export interface GitSource {
  /**
   * The newest revision of the ref: the same Snapshot object while nothing moved, null while the repository has
   * no commit at all. A failed poll leaves the last snapshot usable, and the next poll simply tries again.
   * @throws FleetError GitUnavailable | GitUnauthorized | GitRefNotFound; the signal's reason when it is aborted.
   */
  poll(signal: AbortSignal): Promise<Snapshot | null>;
  /**
   * The revision that an earlier process left on disk, without asking the server; null when there is none.
   * It lets a start during an outage of the Git server go on from the last good revision.
   */
  lastKnown(signal: AbortSignal): Promise<Snapshot | null>;
  close(): Promise<void>;
}

/** How long each part of an exchange with a Git server may take, in milliseconds. */
export interface GitTimeouts {
  readonly connectMs: number;
  /** From the request to the head of the answer: a server may count objects for long before it sends a pack. */
  readonly firstByteMs: number;
  /** Silence in the middle of an answer. */
  readonly idleMs: number;
  /** One poll as a whole. */
  readonly totalMs: number;
}

export const defaultGitTimeouts: GitTimeouts = {
  connectMs: 10_000,
  firstByteMs: 60_000,
  idleMs: 30_000,
  totalMs: 300_000,
};

/** A manifest beyond this would not fit into etcd anyway. */
export const defaultMaxBlobBytes = 8 * 1024 * 1024;

/** The embedded Git holds a pack in memory about four times over while it indexes it. */
export const embeddedMaxPackBytes = 128 * 1024 * 1024;

/** The native one writes it to disk as it comes. */
export const nativeMaxPackBytes = 1024 * 1024 * 1024;

/** Environment variables, as the process was started with them. */
export type Environment = Readonly<Record<string, string | undefined>>;
