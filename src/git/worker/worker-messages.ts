import type { ErrorCode } from '../../model/error-codes.ts';
import type { ReadItem } from '../repository-client.ts';
import type { LocalSetup } from './local-repository.ts';
import type { RemoteSetup } from './remote-repository.ts';
import type { Tip } from '../objects/read-tip.ts';

/** What a worker is started with. */
export interface WorkerSetup {
  readonly repository: RemoteSetup | LocalSetup;
  readonly maxBlobBytes: number;
}

/** To the worker. Every one but abort is answered by one reply with its id. */
export type WorkerRequest =
  | { readonly id: number; readonly kind: 'sync' | 'lastKnown' }
  | { readonly id: number; readonly kind: 'read'; readonly items: readonly ReadItem[] }
  | { readonly id: number; readonly kind: 'abort' };

/** A FleetError as it crosses the thread: without cause, which might hold what must not be shown. */
export interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterMs?: number;
  /** It was a NeedsNativeGit. */
  readonly needsNative?: boolean;
}

export type ReadResult =
  | { readonly kind: 'found'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly error: PlainError };

/** From the worker. */
export type WorkerReply =
  | { readonly id: number; readonly kind: 'tip'; readonly tip: Tip | null }
  | { readonly id: number; readonly kind: 'objects'; readonly results: readonly ReadResult[] }
  | { readonly id: number; readonly kind: 'failed'; readonly error: PlainError };
