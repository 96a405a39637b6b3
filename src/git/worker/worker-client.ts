import { Worker } from 'node:worker_threads';
import { FleetError } from '../../model/fleet-error.ts';
import { NeedsNativeGit } from '../needs-native-git.ts';
import type { Tip } from '../objects/read-tip.ts';
import type { ReadItem, RepositoryClient } from '../repository-client.ts';
import type { PlainError, WorkerReply, WorkerRequest, WorkerSetup } from './worker-messages.ts';

export interface WorkerClientOptions {
  /** What to start the worker with; asked at each start. */
  readonly setup: () => Promise<WorkerSetup>;
  /** Beyond this a worker is taken for stuck and stopped, in milliseconds. */
  readonly stuckAfterMs: number;
  readonly startWorker?: (setup: WorkerSetup) => Worker;
  readonly onClose: () => Promise<void>;
}

interface Pending {
  readonly resolve: (reply: WorkerReply) => void;
  readonly reject: (error: unknown) => void;
}

interface QueuedRead {
  readonly item: ReadItem;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/** Bounds what one message holds in memory. */
const maxBatch = 256;

/**
 * The calling side of the Git worker. A worker that died is started anew by the next call; reads of one turn of the
 * event loop travel together.
 */
export function createWorkerClient(options: WorkerClientOptions): RepositoryClient {
  const pending = new Map<number, Pending>();
  let worker: Promise<Worker> | undefined;
  const queue: QueuedRead[] = [];
  let lastId = 0;
  let closed = false;

  function start(): Promise<Worker> {
    worker ??= options.setup().then(
      (setup) => listen((options.startWorker ?? startGitWorker)(setup)),
      (error: unknown) => {
        worker = undefined;
        throw error;
      },
    );
    return worker;
  }

  function listen(started: Worker): Worker {
    let isGone = false;
    const gone = (reason: string): void => {
      // An error is followed by an exit, when the next worker may be at work already.
      if (isGone) return;
      isGone = true;
      worker = undefined;
      const error = new FleetError(
        'GitUnavailable',
        `the Git worker stopped (${reason}); the next poll starts it anew`,
      );
      for (const waiting of pending.values()) waiting.reject(error);
      pending.clear();
    };
    started.on('message', (reply: WorkerReply) => {
      pending.get(reply.id)?.resolve(reply);
      pending.delete(reply.id);
      if (pending.size === 0) started.unref();
    });
    started.on('error', (error) => {
      gone(error instanceof Error ? error.message : 'unknown fault');
    });
    started.on('exit', (code) => {
      gone(`exit code ${code}`);
    });
    // An idle worker is no reason to keep the process alive.
    started.unref();
    return started;
  }

  async function call(request: (id: number) => WorkerRequest, signal: AbortSignal): Promise<WorkerReply> {
    if (closed) throw new FleetError('GitUnavailable', 'the Git source is closed');
    signal.throwIfAborted();
    const started = await start();
    const id = ++lastId;
    const stuck = setTimeout(() => void started.terminate(), options.stuckAfterMs);
    const abort = (): void => {
      started.postMessage({ id, kind: 'abort' } satisfies WorkerRequest);
      pending.get(id)?.reject(signal.reason);
      pending.delete(id);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<WorkerReply>((resolve, reject) => {
        pending.set(id, { resolve, reject });
        started.ref();
        started.postMessage(request(id));
      });
    } finally {
      clearTimeout(stuck);
      signal.removeEventListener('abort', abort);
    }
  }

  async function flush(): Promise<void> {
    const reads = queue.splice(0, maxBatch);
    if (queue.length > 0) setImmediate(() => void flush());
    try {
      const items = reads.map(({ item }) => item);
      const reply = await call(
        (id) => ({ id, kind: 'read', items }),
        AbortSignal.timeout(options.stuckAfterMs),
      );
      if (reply.kind !== 'objects') throw unexpected(reply);
      for (const [position, read] of reads.entries()) {
        const result = reply.results[position];
        if (result?.kind === 'found') read.resolve(result.bytes);
        else read.reject(result === undefined ? unexpected(reply) : toFleetError(result.error));
      }
    } catch (error) {
      for (const read of reads) read.reject(error);
    }
  }

  async function askTip(kind: 'sync' | 'lastKnown', signal: AbortSignal): Promise<Tip | null> {
    const reply = await call((id) => ({ id, kind }), signal);
    if (reply.kind !== 'tip') throw unexpected(reply);
    return reply.tip;
  }

  return {
    sync: (signal) => askTip('sync', signal),
    lastKnown: (signal) => askTip('lastKnown', signal),
    read(item) {
      if (queue.length === 0) setImmediate(() => void flush());
      return new Promise((resolve, reject) => queue.push({ item, resolve, reject }));
    },
    async close() {
      closed = true;
      const running = await worker?.catch(() => undefined);
      await running?.terminate();
      await options.onClose();
    },
  };
}

/**
 * Buffers are freed when their small handles are collected, so a large young generation keeps much memory that nobody
 * uses: with 8 MiB the first copy of 20,000 files peaks at 160 MB in place of 280 MB, and is no slower.
 */
const maxYoungGenerationSizeMb = 8;

/** From a checkout Node runs the .ts file itself; a build has .js beside it, and a string is not rewritten by tsc. */
function startGitWorker(setup: WorkerSetup): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new Worker(new URL(`./git-worker.${extension}`, import.meta.url), {
    workerData: setup,
    resourceLimits: { maxYoungGenerationSizeMb },
  });
}

function unexpected(reply: WorkerReply): FleetError {
  if (reply.kind === 'failed') return toFleetError(reply.error);
  return new FleetError('Internal', `the Git worker answered with '${reply.kind}'`);
}

function toFleetError({ code, message, retryAfterMs, needsNative }: PlainError): FleetError {
  if (needsNative === true) return new NeedsNativeGit(message);
  return new FleetError(code, message, retryAfterMs === undefined ? {} : { retryAfterMs });
}
