import { type Context, Hono } from 'hono';

import type { FleetReader } from '../engine/fleet-reader.ts';
import { statusJson } from '../report/fleet-status.ts';
import { toJson } from '../report/to-json.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ChangeFeed } from './change-feed.ts';
import { openEventStream } from './event-stream.ts';
import { guardRequests } from './guard-requests.ts';
import { contentSecurityPolicy } from './page/content-security-policy.ts';
import { renderFragment } from './page/render-fragment.ts';
import { renderPage } from './page/render-page.ts';
import { problem } from './problem.ts';

export interface AppOptions {
  readonly fleet: FleetReader;
  readonly feed: ChangeFeed;
  readonly listenHost: string;
  readonly logger: Logger;
  /** The settings file that the engine was started with: commands to copy name it, too. */
  readonly settingsPath?: string | undefined;
}

/** More open streams than this are refused. */
export const maxStreams = 100;

/** What `fleetwright run` serves: health for a kubelet, the page, and what the engine knows as JSON. It changes nothing. */
export function createApp({ fleet, feed, listenHost, logger, settingsPath }: AppOptions): Hono {
  const app = new Hono();
  const fragment = oncePerVersion(feed, () => renderFragment({ ...readPage(fleet), settingsPath }));
  app.use(guardRequests(listenHost));
  app.get('/healthz', (context) => context.text('ok'));
  app.get('/readyz', (context) => {
    const isReady = fleet.status().revision !== '';
    return context.text(isReady ? 'ok' : 'no revision was read yet', isReady ? 200 : 503);
  });
  app.get('/', (context) => {
    context.header('content-security-policy', contentSecurityPolicy);
    return context.html(renderPage(fragment()));
  });
  app.get('/fragment', (context) => context.html(fragment().body.markup));
  app.get('/api/v1/status', (context) => context.json(statusJson(fleet.status())));
  app.get('/api/v1/sync', (context) => context.json(toJson(fleet.sync())));
  app.get('/api/v1/drift', (context) => context.json(toJson(fleet.drift())));
  app.get('/api/v1/events', (context) => serveEvents(context, feed));
  app.notFound(() => problem(404, 'There is nothing at this path.'));
  app.onError((error) => {
    logger.error('a request failed', { error });
    return problem(500, 'The server met a fault of its own; its log tells more.');
  });
  return app;
}

function readPage(fleet: FleetReader) {
  return { status: fleet.status(), sync: fleet.sync(), drift: fleet.drift() };
}

function serveEvents(context: Context, feed: ChangeFeed): Response {
  if (feed.size >= maxStreams) {
    return problem(503, 'Too many event streams are open.', { 'retry-after': '15' });
  }
  context.header('content-type', 'text/event-stream');
  // nginx would otherwise keep events back until a buffer is full.
  context.header('x-accel-buffering', 'no');
  // Nobody reads, and so nobody would ever end, the stream of a HEAD request.
  if (context.req.raw.method === 'HEAD') return context.body(null);
  return context.body(openEventStream(feed));
}

/** Every open page asks at once when something changed: they share one rendering. Ages in it are up to a second old. */
function oncePerVersion<Value>(feed: ChangeFeed, render: () => Value): () => Value {
  let kept: { readonly value: Value; readonly version: number; readonly atMs: number } | undefined;
  return () => {
    const { version } = feed;
    if (kept === undefined || kept.version !== version || performance.now() - kept.atMs > 1_000) {
      kept = { value: render(), version, atMs: performance.now() };
    }
    return kept.value;
  };
}
