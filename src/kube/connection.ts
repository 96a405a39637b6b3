import { isDeepStrictEqual } from 'node:util';

import type { Access, Credentials } from './credentials.ts';
import { openTransport, type Transport, type TransportOptions } from './transport.ts';

/** What one request goes over and with. */
export interface Route {
  readonly transport: Transport;
  readonly headers: Readonly<Record<string, string>>;
  /** Counts the renewals before it. */
  readonly generation: number;
}

/** The connections to an API server together with the credentials that go over them. */
export interface Connection {
  current(): Promise<Route>;
  /**
   * Reads the credentials anew, unless somebody did since the route was got: sixty watches that are refused together
   * must not start a credential plugin sixty times.
   */
  renew(refused: Route): Promise<void>;
  close(): Promise<void>;
}

/** Connects at the first use: a credential plugin that is slow or fails must not hold up whoever opens the fleet. */
export function openConnection(credentials: Credentials, options: TransportOptions): Connection {
  let open: { readonly access: Access; readonly transport: Transport } | undefined;
  let renewing: Promise<void> | undefined;
  let generation = 0;
  const use = (access: Access): Transport => {
    if (open?.access === access) return open.transport;
    const before = open;
    const transport =
      before !== undefined && sameConnections(access, before.access)
        ? before.transport
        : openTransport(access, options);
    open = { access, transport };
    // Requests under way end on the old connections; new ones present the new certificate.
    if (before !== undefined && before.transport !== transport) void before.transport.close();
    return transport;
  };
  return {
    async current() {
      const access = await credentials.current();
      return { transport: use(access), headers: access.headers, generation };
    },
    async renew(refused) {
      if (refused.generation !== generation) return;
      renewing ??= credentials.renew().finally(() => {
        renewing = undefined;
        generation += 1;
      });
      await renewing;
    },
    close: async () => open?.transport.destroy(),
  };
}

function sameConnections(a: Access, b: Access): boolean {
  return a.server === b.server && a.proxyUrl === b.proxyUrl && isDeepStrictEqual(a.tls, b.tls);
}
