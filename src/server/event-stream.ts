import type { ChangeFeed } from './change-feed.ts';

const encoder = new TextEncoder();
/** The first bytes make proxies and clients take the stream as open; `retry` is for clients other than our page. */
const opening = encoder.encode('retry: 2000\n: connected\n\n');
const changed = encoder.encode('event: changed\ndata: {}\n\n');
const heartbeat = encoder.encode(': heartbeat\n\n');

/**
 * The feed as server-sent events, until the reader cancels. A slow reader costs no memory: while it has not taken what
 * it was given, any number of changes is one change, and no heartbeat is added.
 * Source: HTML Living Standard, 9.2 Server-sent events.
 */
export function openEventStream(feed: ChangeFeed): ReadableStream<Uint8Array> {
  let end: (() => void) | undefined;
  let isUntold = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const isTaken = (): boolean => (controller.desiredSize ?? 0) > 0;
      controller.enqueue(opening);
      end = feed.subscribe({
        onChange() {
          if (isTaken()) controller.enqueue(changed);
          else isUntold = true;
        },
        onHeartbeat() {
          if (isTaken()) controller.enqueue(heartbeat);
        },
      });
    },
    pull(controller) {
      if (!isUntold) return;
      isUntold = false;
      controller.enqueue(changed);
    },
    cancel() {
      end?.();
    },
  });
}
