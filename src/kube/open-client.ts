import type { Dispatcher } from 'undici';

import { FleetError, toFleetError } from '../model/fleet-error.ts';
import type { JsonObject } from '../model/json.ts';
import type { Clock } from './clock.ts';
import type { Connection, Route } from './connection.ts';
import { withDeadline } from './deadline.ts';
import { encodeBody } from './encode-body.ts';
import { parseJsonLines } from './json-lines.ts';
import type { KubeClient, KubeRequest, KubeResponse, KubeStreamRequest } from './kube-client.ts';
import { networkError } from './network-error.ts';
import { readResponse } from './read-response.ts';
import { waitBeforeRetry } from './retry-request.ts';

export interface ClientOptions {
  readonly cluster: string;
  readonly requestDeadlineMs: number;
  readonly clock: Clock;
  readonly random: () => number;
}

const streamHeadersMs = 30_000;

/** A client over connections that are open or can be opened at any time. */
export function openClient(connection: Connection, options: ClientOptions): KubeClient {
  const counters = { requests: 0, retries: 0, streams: 0 };
  const subject = { cluster: options.cluster };

  const put: typeof dispatch = (route, request, timing) => {
    counters.requests += 1;
    return dispatch(route, request, timing);
  };

  const send = async (request: KubeRequest, signal: AbortSignal): Promise<KubeResponse> => {
    return authorized(connection, async (route) =>
      readResponse(await put(route, request, { signal }), request),
    );
  };

  const sendRepeatedly = async (request: KubeRequest, signal: AbortSignal): Promise<KubeResponse> => {
    const endsAtMs = options.clock.now() + (request.deadlineMs ?? options.requestDeadlineMs);
    for (let failures = 0, waitMs: number | undefined, last: unknown; ; failures += 1) {
      try {
        if (waitMs !== undefined) await options.clock.sleep(waitMs, signal);
        return await send(request, signal);
      } catch (error) {
        // A try that the deadline cut short tells less than the failure before it.
        if (signal.aborted) throw last ?? error;
        last = error;
        waitMs = waitBeforeRetry(error, request, { failures, random: options.random });
        if (waitMs === undefined || options.clock.now() + waitMs >= endsAtMs) throw error;
        counters.retries += 1;
      }
    }
  };

  return {
    cluster: options.cluster,
    async request(request) {
      try {
        return await withDeadline(request.signal, request.deadlineMs ?? options.requestDeadlineMs, (signal) =>
          sendRepeatedly(request, signal),
        );
      } catch (error) {
        request.signal.throwIfAborted();
        throw toFleetError(error, subject);
      }
    },
    async *stream(request) {
      counters.streams += 1;
      try {
        yield* openStream(connection, request, put);
      } catch (error) {
        request.signal.throwIfAborted();
        throw toFleetError(error, subject);
      }
    },
    counters: () => ({ ...counters }),
    close: () => connection.close(),
  };
}

/** One try, and a second with new credentials when the first was refused with 401. */
async function authorized<T>(connection: Connection, attempt: (route: Route) => Promise<T>): Promise<T> {
  const route = await connection.current();
  try {
    return await attempt(route);
  } catch (error) {
    if (!(error instanceof FleetError) || error.code !== 'ClusterUnauthorized') throw error;
    await connection.renew(route);
    return attempt(await connection.current());
  }
}

async function* openStream(
  connection: Connection,
  request: KubeStreamRequest,
  put: typeof dispatch,
): AsyncGenerator<JsonObject> {
  const timing = { signal: request.signal, headersTimeout: streamHeadersMs, bodyTimeout: request.silenceMs };
  const { body } = await authorized(connection, async (route) => {
    const response = await put(route, request, timing);
    if (response.statusCode !== 200) await readResponse(response, request);
    return response;
  });
  try {
    request.onOpen?.();
    yield* parseJsonLines(body);
  } catch (error) {
    throw networkError(error);
  } finally {
    // Leaving the loop early must end the watch on the server, too.
    body.on('error', () => undefined).destroy();
  }
}

type Timing = Pick<Dispatcher.RequestOptions, 'headersTimeout' | 'bodyTimeout'> & {
  readonly signal: AbortSignal;
};

async function dispatch(
  { transport, headers }: Route,
  request: KubeRequest,
  timing: Timing,
): Promise<Dispatcher.ResponseData> {
  const query = request.query === undefined ? '' : `?${new URLSearchParams(request.query).toString()}`;
  const dispatcher = timing.bodyTimeout === undefined ? transport.requests : transport.watches;
  try {
    return await dispatcher.request({
      origin: transport.origin,
      path: `${transport.prefix}${request.path}${query}`,
      method: request.method,
      headers: {
        ...headers,
        'user-agent': 'fleetwright',
        accept: request.accept ?? 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
      },
      body: request.body === undefined ? null : encodeBody(request.body),
      ...timing,
    });
  } catch (error) {
    timing.signal.throwIfAborted();
    throw networkError(error);
  }
}
