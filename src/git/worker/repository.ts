import type { Tip } from '../objects/read-tip.ts';
import type { GitObject } from '../objects/pack-file.ts';
import type { ReadItem } from '../repository-client.ts';

/** What the worker needs of a repository, be it mirrored from a server or on this machine. */
export interface Repository {
  /** Brings itself up to date. Null: the repository has no commit at all. @throws FleetError */
  sync(signal: AbortSignal): Promise<Tip | null>;
  /** What is there without asking anybody. */
  lastKnown(): Tip | null;
  /** @throws ObjectTooLarge, Error when the object is damaged. */
  read(oid: string, options: ReadOptions): GitObject | undefined;
  close(): void;
}

export interface ReadOptions extends Pick<ReadItem, 'revision'> {
  readonly maxBytes: number;
}
