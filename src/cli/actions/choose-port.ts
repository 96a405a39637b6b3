import { createServer } from 'node:net';

import { UsageError } from '../usage-error.ts';

const usualPort = 8080;

/**
 * Where the demo's page will listen. @param wanted what the user asked for; 0 is any free port.
 * @throws UsageError when that port is taken.
 */
export async function choosePort(wanted: number | undefined): Promise<number> {
  const port = wanted ?? usualPort;
  if (port === 0 || (await isFree(port))) return port;
  if (wanted === undefined) return 0;
  throw new UsageError(`Port ${port} is taken: give another with --port, or --port 0 for any that is free.`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
