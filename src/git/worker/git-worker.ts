import { parentPort, type MessagePort, workerData } from 'node:worker_threads';
import { toFleetError } from '../../model/fleet-error.ts';
import { NeedsNativeGit } from '../needs-native-git.ts';
import { ObjectTooLarge } from '../objects/pack-file.ts';
import { type ReadItem, tooLargeMessage } from '../repository-client.ts';
import { openLocalRepository } from './local-repository.ts';
import { openRemoteRepository } from './remote-repository.ts';
import type { Repository } from './repository.ts';
import type { PlainError, ReadResult, WorkerRequest, WorkerSetup } from './worker-messages.ts';

/*
 * The thread that holds one repository. Unpacking thousands of objects and indexing a pack take up to a second of
 * pure computation, which here delays nobody else.
 */

// Both ends of this channel are ours: the worker is started by worker-client.ts with exactly this.
const setup = workerData as WorkerSetup;
if (parentPort !== null) serve(parentPort);

function serve(port: MessagePort): void {
  let opened: Repository | undefined;
  const running = new Map<number, AbortController>();

  function repository(): Repository {
    opened ??=
      setup.repository.kind === 'remote'
        ? openRemoteRepository(setup.repository)
        : openLocalRepository(setup.repository);
    return opened;
  }

  async function sync(id: number): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      port.postMessage({ id, kind: 'tip', tip: await repository().sync(controller.signal) });
    } catch (error) {
      port.postMessage({ id, kind: 'failed', error: toPlainError(error) });
    } finally {
      running.delete(id);
    }
  }

  function lastKnown(id: number): void {
    try {
      port.postMessage({ id, kind: 'tip', tip: repository().lastKnown() });
    } catch (error) {
      port.postMessage({ id, kind: 'failed', error: toPlainError(error) });
    }
  }

  function read(id: number, items: readonly ReadItem[]): void {
    const results = items.map((item) => readItem(item));
    const transfer = results.flatMap((result) => (result.kind === 'found' ? [result.bytes.buffer] : []));
    port.postMessage({ id, kind: 'objects', results }, transfer);
  }

  function readItem({ oid, revision }: ReadItem): ReadResult {
    try {
      const found = repository().read(oid, { revision, maxBytes: setup.maxBlobBytes });
      if (found === undefined) return unreadable(`object ${oid} of revision ${revision} is no longer held`);
      // A Buffer may be a slice of a shared pool, which cannot be handed over.
      return { kind: 'found', bytes: Uint8Array.from(found.bytes) };
    } catch (error) {
      if (error instanceof ObjectTooLarge) return tooLarge(error.sizeBytes);
      return unreadable(error instanceof Error ? error.message : String(error));
    }
  }

  port.on('message', (request: WorkerRequest) => {
    switch (request.kind) {
      case 'sync':
        void sync(request.id);
        return;
      case 'lastKnown':
        lastKnown(request.id);
        return;
      case 'read':
        read(request.id, request.items);
        return;
      case 'abort':
        running.get(request.id)?.abort();
    }
  });
}

function toPlainError(error: unknown): PlainError {
  const { code, message, retryAfterMs } = toFleetError(error);
  return {
    code,
    message,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(error instanceof NeedsNativeGit ? { needsNative: true } : {}),
  };
}

function unreadable(reason: string): ReadResult {
  return { kind: 'failed', error: { code: 'GitUnavailable', message: reason } };
}

function tooLarge(sizeBytes: number): ReadResult {
  const message = tooLargeMessage(sizeBytes, setup.maxBlobBytes);
  return { kind: 'failed', error: { code: 'ManifestInvalid', message } };
}
