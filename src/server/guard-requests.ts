import type { MiddlewareHandler } from 'hono';

import { isAllowedHost } from './allowed-host.ts';
import { problem } from './problem.ts';

const headers = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
/** For all that is not the page: even opened in a browser, it loads and runs nothing. */
const nothingAllowed = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Refuses what is not meant for this server or would write, and gives every answer the headers of a careful one. */
export function guardRequests(listenHost: string): MiddlewareHandler {
  return async (context, next) => {
    const refusal = refuse(context.req.raw, listenHost);
    if (refusal === undefined) await next();
    else context.res = refusal;
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
    if (!context.res.headers.has('content-security-policy')) {
      context.res.headers.set('content-security-policy', nothingAllowed);
    }
  };
}

function refuse(request: Request, listenHost: string): Response | undefined {
  if (!isAllowedHost(request.headers.get('host') ?? undefined, listenHost)) {
    return problem(421, 'This server does not answer to the name in the Host header.');
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return problem(405, 'Only GET and HEAD are served.', { allow: 'GET, HEAD' });
  }
  return undefined;
}
