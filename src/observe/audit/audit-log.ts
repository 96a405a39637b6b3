import { setTimeout as sleep } from 'node:timers/promises';

import { type AuditedPlace, type AuditLine, parseAuditLine } from './audit-event.ts';
import { auditFault, garbageFault, unreadableFault } from './audit-fault.ts';
import { LogTail, type TailLimits } from './log-tail.ts';
import { WriteIndex } from './write-index.ts';

/** Reading is local work of a moment; a file system that hangs must not hang a cluster. */
const lookTimeoutMs = 3_000;
/** An API server writes the line just after its answer; about 300 ms in all. */
const pausesMs = [10, 20, 40, 80, 150];

type IsWanted = (place: AuditedPlace) => boolean;

/**
 * The audit log of a cluster's API server, read only when somebody asks and only what is new since. What it tells is in
 * `index`, for the objects that were wanted when their lines were read. A log that cannot be read is a fault to be
 * told, and never an error.
 */
export class AuditLog {
  readonly path: string;
  readonly index: WriteIndex;
  readonly #tail: LogTail;
  #reading: Promise<void> | undefined;
  /** That it cannot be read, and that what it holds is none of an audit log. */
  #fileFault: string | undefined;
  #contentFault: string | undefined;
  #hasEvents = false;
  /** Whether waiting for lines has been worth while. */
  #isTimely = true;

  constructor(
    path: string,
    options: { readonly limits?: Partial<TailLimits>; readonly mostEntries?: number } = {},
  ) {
    this.path = path;
    this.index = new WriteIndex(options.mostEntries);
    this.#tail = new LogTail(path, options.limits);
  }

  /** Why the last look told nothing, and what to do about it: whole sentences. Undefined when all is well. */
  get fault(): string | undefined {
    return this.#fileFault ?? this.#contentFault;
  }

  /** Finds out whether the log could be read, without reading it. */
  async check(signal: AbortSignal): Promise<void> {
    const checked = this.#tail.check().then(
      () => (this.#fileFault = undefined),
      (error: unknown) => (this.#fileFault = unreadableFault(this.path, error)),
    );
    await this.#bounded(checked, AbortSignal.any([signal, AbortSignal.timeout(lookTimeoutMs)]), signal);
  }

  /** Takes in what was appended since the last look. @param isWanted whether a place is worth keeping. */
  async look(isWanted: IsWanted, signal: AbortSignal): Promise<void> {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(lookTimeoutMs)]);
    this.#reading ??= this.#read(isWanted, bounded).finally(() => (this.#reading = undefined));
    await this.#bounded(this.#reading, bounded, signal);
  }

  async #bounded(work: Promise<unknown>, bound: AbortSignal, signal: AbortSignal): Promise<void> {
    const isDone = await Promise.race([work.then(() => true), aborted(bound)]);
    if (isDone || signal.aborted) return;
    this.#fileFault = auditFault(
      this.path,
      `could not be read within ${lookTimeoutMs / 1_000} s`,
      'look at its file system',
    );
  }

  /**
   * Looks until what is asked for is there, for as long as a line may lag behind the answer that it tells of. After a
   * wait in vain it waits no more until an answer comes in time again: not every log tells of every request.
   */
  async lookFor(
    isAnswered: () => boolean,
    { isWanted, signal }: { readonly isWanted: IsWanted; readonly signal: AbortSignal },
  ): Promise<void> {
    await this.look(isWanted, signal);
    for (const pauseMs of pausesMs) {
      if (isAnswered()) {
        this.#isTimely = true;
        return;
      }
      if (!this.#isTimely || this.fault !== undefined || signal.aborted) return;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      await this.look(isWanted, signal);
    }
    this.#isTimely = isAnswered();
  }

  async close(): Promise<void> {
    await Promise.race([this.#reading, aborted(AbortSignal.timeout(lookTimeoutMs))]);
    await this.#tail.close();
  }

  async #read(isWanted: IsWanted, signal: AbortSignal): Promise<void> {
    try {
      await this.#tail.read((line) => {
        this.#take(parseAuditLine(line), isWanted);
      }, signal);
      this.#fileFault = undefined;
    } catch (error) {
      if (!signal.aborted) this.#fileFault = unreadableFault(this.path, error);
    }
  }

  #take(line: AuditLine, isWanted: IsWanted): void {
    // One broken line among events is nobody's concern.
    if (line.kind !== 'garbage') this.#hasEvents = true;
    else if (!this.#hasEvents) this.#contentFault = garbageFault(this.path);
    if (this.#hasEvents) this.#contentFault = undefined;
    if (line.kind === 'write' && isWanted(line.write.place)) this.index.take(line.write);
  }
}

async function aborted(signal: AbortSignal): Promise<false> {
  if (signal.aborted) return false;
  return new Promise((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        resolve(false);
      },
      { once: true },
    );
  });
}
