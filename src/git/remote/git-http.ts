import { EnvHttpProxyAgent, type Dispatcher, request } from 'undici';
import { FleetError } from '../../model/fleet-error.ts';
import type { GitTimeouts } from '../git-source.ts';
import { NeedsNativeGit } from '../needs-native-git.ts';
import { inSeconds, networkFault } from './network-fault.ts';
import { redactUrl } from './git-url.ts';

export interface GitHttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface GitHttpAnswer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body in its pieces, so that a reader may drop each as it goes. */
  readonly chunks: Buffer[];
}

/** What a session of requests shares. */
export interface GitHttpOptions {
  readonly dispatcher: Dispatcher;
  /** The address as people may see it. */
  readonly shown: string;
  readonly authorization: string | undefined;
  readonly timeouts: GitTimeouts;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const maxRedirects = 5;

/** One connection pool for one repository. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured. */
export function createGitDispatcher(timeouts: GitTimeouts): Dispatcher {
  return new EnvHttpProxyAgent({
    connect: { timeout: timeouts.connectMs },
    headersTimeout: timeouts.firstByteMs,
    bodyTimeout: timeouts.idleMs,
  });
}

/**
 * One request to a Git server, its answer read whole. Credentials go along from the start, and only ever to the
 * origin of the first URL: a redirect elsewhere is an error, one within it is followed with the method kept
 * (a renamed repository answers POST with 301, where browsers would turn to GET).
 * @throws FleetError GitUnauthorized | GitUnavailable; the signal's reason when it is aborted.
 */
export async function requestGit(wanted: GitHttpRequest, options: GitHttpOptions): Promise<GitHttpAnswer> {
  let url = wanted.url;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const answer = await send({ ...wanted, url }, options);
    const target = redirectTarget(url, answer);
    if (target === undefined) return await readAnswer(url, answer, options);
    await answer.body.dump();
    if (new URL(target).origin !== new URL(url).origin) {
      throw new FleetError(
        'GitUnavailable',
        `${options.shown} redirects to another server (${redactUrl(target)}), where the credentials must not go: ` +
          'set source.url to the new address',
      );
    }
    url = target;
  }
  throw new FleetError('GitUnavailable', `${options.shown} redirects in a circle`);
}

async function send(wanted: GitHttpRequest, options: GitHttpOptions): Promise<Dispatcher.ResponseData> {
  const { authorization, dispatcher, signal } = options;
  try {
    return await request(wanted.url, {
      dispatcher,
      signal,
      method: wanted.method,
      headers: {
        ...wanted.headers,
        'user-agent': 'git/fleetwright',
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(wanted.body === undefined ? {} : { body: wanted.body }),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw networkFault(error, options.shown, options.timeouts);
  }
}

function redirectTarget(url: string, answer: Dispatcher.ResponseData): string | undefined {
  if (![301, 302, 303, 307, 308].includes(answer.statusCode)) return undefined;
  const location = answer.headers['location'];
  return typeof location === 'string' ? URL.parse(location, url)?.href : undefined;
}

async function readAnswer(
  url: string,
  answer: Dispatcher.ResponseData,
  options: GitHttpOptions,
): Promise<GitHttpAnswer> {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  const fault = statusFault(answer.statusCode, headers, options.shown) ?? typeFault(headers, options.shown);
  if (fault !== undefined) {
    // The body may repeat what was sent; it is never part of a message.
    await answer.body.dump().catch(() => undefined);
    throw fault;
  }
  return { url, headers, chunks: await readBody(answer, options) };
}

async function readBody(answer: Dispatcher.ResponseData, options: GitHttpOptions): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > options.maxBytes) throw tooLarge(options);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof FleetError) throw error;
    options.signal.throwIfAborted();
    throw networkFault(error, options.shown, options.timeouts);
  }
  return chunks;
}

function tooLarge({ shown, maxBytes }: GitHttpOptions): FleetError {
  return new NeedsNativeGit(packTooLargeMessage(shown, maxBytes));
}

/** What a person is told whose revision does not fit. */
export function packTooLargeMessage(shown: string, maxBytes: number): string {
  const mebibytes = Math.floor(maxBytes / 1024 / 1024);
  return `${shown} sent more than ${mebibytes} MiB for one revision: keep large files out of the fleet repository`;
}

function statusFault(
  status: number,
  headers: Readonly<Record<string, string>>,
  shown: string,
): FleetError | undefined {
  if (status === 200) return undefined;
  if (status === 401 || status === 403) {
    return new FleetError('GitUnauthorized', `${shown} refused the credentials (HTTP ${status})`);
  }
  if (status === 404) return new FleetError('GitUnavailable', `${shown} has no repository there (HTTP 404)`);
  const seconds = Number(headers['retry-after']);
  const wait = Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {};
  const when = 'retryAfterMs' in wait ? ` and asks to wait ${inSeconds(wait.retryAfterMs)}` : '';
  return new FleetError('GitUnavailable', `${shown} answered HTTP ${status}${when}`, wait);
}

function typeFault(headers: Readonly<Record<string, string>>, shown: string): FleetError | undefined {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/x-git-upload-pack-')) return undefined;
  const what = type === '' ? 'something without a type' : (type.split(';')[0] ?? type);
  return new FleetError(
    'GitUnavailable',
    `${shown} answered with ${what}, not with Git: is the address right?`,
  );
}
