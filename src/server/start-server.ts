import { serve } from '@hono/node-server';

import { FleetError } from '../model/fleet-error.ts';
import { createApp, type FleetSource } from './create-app.ts';

export interface ServerOptions extends FleetSource {
  readonly listen: { readonly host: string; readonly port: number };
}

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the API and the page. @throws FleetError ConfigInvalid when the address cannot be listened on. */
export async function startServer({ listen, ...source }: ServerOptions): Promise<RunningServer> {
  const app = createApp(source);
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: listen.host, port: listen.port }, ({ port }) => {
      resolve({
        url: `http://${listen.host}:${port}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => {
              closed();
            });
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      });
    });
    server.once('error', (error: Error) => {
      reject(
        new FleetError(
          'ConfigInvalid',
          `cannot listen on ${listen.host}:${listen.port} (${error.message}); set spec.server.listen`,
          { cause: error },
        ),
      );
    });
  });
}
