import { type Change, isWaiting } from '../model/change.ts';
import type { OwnedObject } from '../model/observation.ts';
import { type ObjectRef, refKey } from '../model/object-ref.ts';
import type { PreparedObject } from '../model/plan.ts';
import type { FoundDrift } from '../plan/decide/decision.ts';

/** What was found of an object and is not worth asking again before something moves or time has passed. */
export interface Remembered {
  readonly change: Change;
  readonly drift?: FoundDrift;
}

interface Entry extends Remembered {
  /** Git's wish and the live object's state at that time: with either changed, the memory is void. */
  readonly hash: string;
  readonly fingerprint: string;
  readonly attempts: number;
  readonly dueAt: number;
}

export interface RetryOptions {
  readonly now: () => number;
  /** A number from 0 up to 1, as Math.random gives. */
  readonly random: () => number;
  /** When it is worth looking again at what only people can change, in ms. */
  readonly intervalMs: number;
}

const firstRetryMs = 1_000;
const longestRetryMs = 300_000;
/** What cannot succeed without a change is still tried now and then: quotas, webhooks and schemas change, too. */
const neverRetryMs = 3_600_000;

/**
 * Keeps failures from becoming a storm of requests: each object has its own backoff with jitter, and one that is held,
 * refused or only reported is not read again until Git, the object or the clock has moved.
 */
export class RetryMemory {
  readonly #entries = new Map<string, Entry>();
  readonly #options: RetryOptions;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  /** What to report of an object without asking again; undefined when it is due. */
  recall(object: PreparedObject, owned: OwnedObject | undefined): Remembered | undefined {
    const entry = this.#entries.get(object.key);
    if (entry?.hash !== object.hash || entry.fingerprint !== fingerprintOf(owned, entry)) return undefined;
    return this.#options.now() < entry.dueAt ? entry : undefined;
  }

  /** Remembers what was found; a change that is done forgets what was before. */
  record(object: PreparedObject, owned: OwnedObject | undefined, found: Remembered): void {
    if (!isWorthKeeping(found, owned)) {
      this.#entries.delete(object.key);
      return;
    }
    const before = this.#entries.get(object.key);
    const attempts = before?.hash === object.hash ? before.attempts + 1 : 1;
    this.#entries.set(object.key, {
      ...found,
      hash: object.hash,
      fingerprint: fingerprintOf(owned, found),
      attempts,
      dueAt: this.#options.now() + this.#delay(found.change, attempts),
    });
  }

  /** What is remembered of the object names values of it, or holds only while they stay: any write may end that. */
  isWatchedClosely(ref: ObjectRef): boolean {
    const entry = this.#entries.get(refKey(ref));
    return entry !== undefined && dependsOnValues(entry);
  }

  /** What is remembered of an object goes on, for another reason. */
  renew(key: string, change: Change): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#entries.set(key, { ...entry, change });
  }

  /** Something waits for that object. */
  isAwaited(ref: ObjectRef): boolean {
    const key = refKey(ref);
    const lists = new Set<readonly string[]>();
    for (const { change } of this.#entries.values())
      if (change.action === 'pending' && change.waitsFor !== undefined) lists.add(change.waitsFor);
    return [...lists].some((keys) => keys.includes(key));
  }

  /** Forgets what Git wants no more: nobody would ever settle it, and it would be due for ever. */
  keepOnly(wanted: readonly PreparedObject[]): void {
    if (this.#entries.size === 0) return;
    const keys = new Set(wanted.map(({ key }) => key));
    for (const key of this.#entries.keys()) if (!keys.has(key)) this.#entries.delete(key);
  }

  /** Forgets holds, so that an approval takes effect at once. */
  forgetHolds(): void {
    this.#forget((change) => change.action === 'held');
  }

  /** Forgets what failed for want of its kind: the server has been asked anew what it serves. */
  forgetUnknownKinds(): void {
    this.#forget((change) => change.action === 'failed' && change.error.code === 'KindUnknown');
  }

  #forget(which: (change: Change) => boolean): void {
    for (const [key, { change }] of this.#entries) if (which(change)) this.#entries.delete(key);
  }

  forgetAll(): void {
    this.#entries.clear();
  }

  /** When the next object is due, in ms since the epoch; undefined when nothing waits. */
  nextDueAt(): number | undefined {
    let next: number | undefined;
    for (const { dueAt } of this.#entries.values()) next = next === undefined ? dueAt : Math.min(next, dueAt);
    return next;
  }

  #delay(change: Change, attempts: number): number {
    const spread = 0.5 + this.#options.random() / 2;
    const soon = spread * Math.min(longestRetryMs, firstRetryMs * 2 ** (attempts - 1));
    // The watch tells when what it waits for is ready.
    if (isWaiting(change)) return spread * neverRetryMs;
    // Nothing tells when another's object is gone at last.
    if (change.action === 'pending') return soon;
    if (change.action !== 'failed')
      return spread * (change.action === 'held' ? this.#options.intervalMs : neverRetryMs);
    switch (change.error.retry) {
      case 'soon':
        return (change.error.retryAfterMs ?? 0) + soon;
      case 'interval':
        return spread * Math.min(neverRetryMs, this.#options.intervalMs * 2 ** (attempts - 1));
      case 'never':
        return neverRetryMs * spread;
    }
  }
}

function isWorthKeeping(found: Remembered, owned: OwnedObject | undefined): boolean {
  const { change } = found;
  switch (change.action) {
    case 'failed':
      // The contact to the cluster has a retry of its own: once it is back, no object should still have to wait.
      return change.error.code !== 'ClusterUnreachable' && change.error.code !== 'ClusterUnauthorized';
    case 'held':
    case 'skipped':
    case 'pending':
      return true;
    case 'unchanged':
      // With additions by people in it, metadata alone would have it read at every sync.
      return dependsOnValues(found) || (owned !== undefined && owned.additions !== '');
    default:
      return false;
  }
}

/** What failed keeps its pauses whoever writes meanwhile. */
function dependsOnValues({ change, drift }: Remembered): boolean {
  if (change.action === 'failed') return false;
  return drift !== undefined || (change.action === 'unchanged' && change.reason !== undefined);
}

function fingerprintOf(owned: OwnedObject | undefined, found: Remembered): string {
  if (owned === undefined) return '';
  const { uid, ownership, additions, generator, desiredHash, deleting, version } = owned;
  const parts = [uid, ownership, additions, generator, desiredHash, deleting];
  return [...parts, dependsOnValues(found) ? version : ''].join(' ');
}
