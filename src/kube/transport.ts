import { type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici';

import { FleetError } from '../model/fleet-error.ts';
import type { Access } from './credentials.ts';

export interface TransportOptions {
  /** Connections for requests; each carries one at a time. */
  readonly maxConnections: number;
  /** Requests share connections over HTTP/2 where the server offers it: fewer connections, more CPU a request. */
  readonly allowH2: boolean;
}

/** The connections to one API server. Watches have their own, so that they never hold up a request. */
export interface Transport {
  readonly requests: Dispatcher;
  /** Multiplexed over HTTP/2 where offered: one connection carries about a hundred watches. */
  readonly watches: Dispatcher;
  readonly origin: string;
  /** What comes before every path: '' or '/k8s/clusters/c-1'. */
  readonly prefix: string;
  /** Lets requests under way end. */
  close(): Promise<void>;
  /** Ends them now. */
  destroy(): Promise<void>;
}

const connectTimeoutMs = 10_000;
/** Shorter than the 90 s after which an API server closes an idle connection, so that we never write to a closed one. */
const idleTimeoutMs = 60_000;
/** A PING unanswered until the next one is due ends a connection that died without a word. */
const pingIntervalMs = 20_000;

/** @throws FleetError ConfigInvalid for a proxy of an unknown kind. */
export function openTransport(access: Access, options: TransportOptions): Transport {
  const { origin, pathname } = new URL(access.server);
  const requests = openDispatcher(access, { connections: options.maxConnections, allowH2: options.allowH2 });
  const watches = openDispatcher(access, { allowH2: true });
  return {
    requests,
    watches,
    origin,
    prefix: pathname.replace(/\/$/, ''),
    async close() {
      await Promise.all([requests.close(), watches.destroy()]);
    },
    async destroy() {
      await Promise.all([requests.destroy(), watches.destroy()]);
    },
  };
}

function openDispatcher(access: Access, options: { connections?: number; allowH2: boolean }): Dispatcher {
  const common = {
    ...options,
    pipelining: 1,
    keepAliveTimeout: idleTimeoutMs,
    // The client sets a deadline for each request; undici's own would cut long watches.
    headersTimeout: 0,
    bodyTimeout: 0,
    h2Options: { pingInterval: pingIntervalMs },
  };
  const { proxyUrl } = access;
  if (proxyUrl === undefined || proxyUrl === '') {
    const connect = {
      ...access.tls,
      timeout: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
    };
    return new Pool(new URL(access.server).origin, { ...common, connect });
  }
  if (/^https?:/.test(proxyUrl)) return new ProxyAgent({ ...common, uri: proxyUrl, requestTls: access.tls });
  if (/^socks5h?:/.test(proxyUrl))
    return new Socks5ProxyAgent(proxyUrl, { ...common, requestTls: access.tls });
  throw new FleetError('ConfigInvalid', "a kubeconfig's proxy-url must start with http:, https: or socks5:");
}
