import { serve } from '@hono/node-server';

import type { FleetReader } from '../engine/fleet-reader.ts';
import { FleetError } from '../model/fleet-error.ts';
import type { Logger } from '../telemetry/logger.ts';
import { ChangeFeed } from './change-feed.ts';
import { createApp } from './create-app.ts';

export interface ServerOptions {
  readonly fleet: FleetReader;
  readonly listen: { readonly host: string; readonly port: number };
  readonly logger: Logger;
  /** The settings file that the engine was started with: commands to copy name it, too. */
  readonly settingsPath?: string | undefined;
}

export interface RunningServer {
  /** 'http://127.0.0.1:8080' */
  readonly url: string;
  /** Ends every connection, open event streams included. */
  close(): Promise<void>;
}

/** A client that is slow to ask gets this long; one that is found dead by TCP keep-alive is dropped. */
const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 5_000,
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
};
/** A client that takes nothing of its answer for so long is dropped. Longer than the heartbeat of event streams. */
const idleTimeoutMs = 60_000;
const maxConnections = 500;

/** Serves the API and the page. @throws FleetError ConfigInvalid when the address cannot be listened on. */
export async function startServer({
  fleet,
  listen,
  logger,
  settingsPath,
}: ServerOptions): Promise<RunningServer> {
  const { host, port } = listen;
  const feed = new ChangeFeed({ onUpdate: (listener) => fleet.onUpdate(listener) });
  const app = createApp({ fleet, feed, listenHost: host, logger, settingsPath });
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port, serverOptions }, (address) => {
      resolve({
        url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
        close: () =>
          new Promise((closed) => {
            feed.close();
            server.close(() => {
              closed();
            });
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      });
    });
    server.setTimeout(idleTimeoutMs);
    server.maxConnections = maxConnections;
    server.once('error', (error: Error) => {
      feed.close();
      reject(
        new FleetError(
          'ConfigInvalid',
          `cannot listen on ${host}:${port} (${error.message}); set spec.server.listen`,
          { cause: error },
        ),
      );
    });
  });
}
