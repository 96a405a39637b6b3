import { isDeepStrictEqual } from 'node:util';

import { type Access, type Credentials } from './credentials.ts';
import { openTransport, type Transport, type TransportOptions } from './transport.ts';

/** The connections to an API server together with the credentials that go over them. */
export interface Connection {
  current(): Promise<{ readonly transport: Transport; readonly headers: Readonly<Record<string, string>> }>;
  /** Reads the credentials anew. Calls that come together, as sixty watches do, share one renewal. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** Connects at the first use: a credential plugin that is slow or fails must not hold up whoever opens the fleet. */
export function openConnection(credentials: Credentials, options: TransportOptions): Connection {
  let open: { readonly access: Access; readonly transport: Transport } | undefined;
  let renewing: Promise<void> | undefined;
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
      return { transport: use(access), headers: access.headers };
    },
    renew() {
      renewing ??= credentials.renew().finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
    close: async () => open?.transport.destroy(),
  };
}

function sameConnections(a: Access, b: Access): boolean {
  return a.server === b.server && a.proxyUrl === b.proxyUrl && isDeepStrictEqual(a.tls, b.tls);
}
