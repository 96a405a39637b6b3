import type { Tip } from './objects/read-tip.ts';

/** A repository as the thread that renders sees it; whoever answers may sit in a worker or be a program. */
export interface RepositoryClient {
  /** Brings the repository up to date. Null: it has no commit at all. @throws FleetError, or the signal's reason. */
  sync(signal: AbortSignal): Promise<Tip | null>;
  /** What is there without asking any server. */
  lastKnown(signal: AbortSignal): Promise<Tip | null>;
  /**
   * The bytes of an object.
   * @throws FleetError ManifestInvalid when it is too large, GitUnavailable when it is missing or damaged.
   */
  read(item: ReadItem): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface ReadItem {
  readonly oid: string;
  /** The commit whose tree names the object: what is missing from the newest one has to be fetched anew. */
  readonly revision: string;
}

/** What a file is told whose bytes are not read. */
export function tooLargeMessage(sizeBytes: number, maxBytes: number): string {
  return `the file has ${sizeBytes} bytes, more than the ${maxBytes} that are read`;
}
