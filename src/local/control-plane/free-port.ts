import { createServer } from 'node:net';
import { FleetError } from '../../model/fleet-error.ts';

/**
 * A TCP port of 127.0.0.1 that is free at this moment. Another process may take it before its user binds it:
 * whoever binds it must be ready to ask for another.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  try {
    return await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new FleetError('Internal', 'a listening socket has no port'));
      });
    });
  } finally {
    server.close();
  }
}
