import { isIP } from 'node:net';

const loopback = ['localhost', '127.0.0.1', '::1'];
const anyAddress = ['0.0.0.0', '::', ''];

/**
 * Whether a Host header names this server. A page of a hostile site can point its own name at this machine (DNS
 * rebinding) and would then be of one origin with us; its requests still carry its name. An address in digits cannot
 * be rebound, so where we listen on every address any of them will do.
 * @param host 'localhost:8080', '[::1]:8080'; the port does not count, since a tunnel may change it.
 */
export function isAllowedHost(host: string | undefined, listenHost: string): boolean {
  const name = nameOf(host ?? '');
  if (name === undefined) return false;
  if (loopback.includes(name) || name === listenHost.toLowerCase()) return true;
  return anyAddress.includes(listenHost) && isIP(name) !== 0;
}

function nameOf(host: string): string | undefined {
  const [, address, name] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host) ?? [];
  return (address ?? name)?.toLowerCase();
}
