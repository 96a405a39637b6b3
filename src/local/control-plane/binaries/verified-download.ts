import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, interceptors, request } from 'undici';
import { FleetError, toFleetError } from '../../../model/fleet-error.ts';

/** How long a download may take in each of its parts, in milliseconds. */
export interface DownloadLimits {
  readonly connectMs: number;
  /** Until an answer begins, and for a checksum until it ends. */
  readonly answerMs: number;
  /** Without a byte, while a file comes. */
  readonly stallMs: number;
  /** For one file. */
  readonly fileMs: number;
}

export const defaultDownloadLimits: DownloadLimits = { connectMs: 3_000, answerMs: 5_000, stallMs: 10_000, fileMs: 600_000 };

export interface Downloader {
  /** A small text, such as a checksum. */
  text(url: string, signal: AbortSignal): Promise<string>;
  /**
   * Writes a file and compares it with its checksum (SHA-256, hex).
   * @throws FleetError DependencyFailed when the two differ; what was written is not to be used.
   */
  file(url: string, target: { readonly path: string; readonly sha256: string }, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Downloads that end: every part has a deadline. Proxies are taken from the environment. */
export function createDownloader(limits: DownloadLimits = defaultDownloadLimits): Downloader {
  const agent = new EnvHttpProxyAgent({
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.answerMs,
    bodyTimeout: limits.stallMs,
  });
  const dispatcher = agent.compose(interceptors.redirect({ maxRedirections: 5 }));
  const get = async (url: string, signal: AbortSignal) => {
    const response = await request(url, { dispatcher, signal });
    if (response.statusCode === 200) return response.body;
    await response.body.dump();
    throw new FleetError('DependencyFailed', `${url} answered ${response.statusCode}`);
  };
  return {
    text: (url, signal) =>
      within(limits.answerMs, { url, signal }, async (bounded) => (await get(url, bounded)).text()),
    file: (url, target, signal) =>
      within(limits.fileMs, { url, signal }, async (bounded) => {
        const hash = createHash('sha256');
        const body = await get(url, bounded);
        body.on('data', (chunk: Buffer) => hash.update(chunk));
        await pipeline(body, createWriteStream(target.path, { mode: 0o700 }), { signal: bounded });
        const found = hash.digest('hex');
        if (found !== target.sha256) {
          throw new FleetError('DependencyFailed', `${url} has the checksum ${found}, published is ${target.sha256}`);
        }
      }),
    close: () => agent.destroy(),
  };
}

async function within<T>(
  limitMs: number,
  { url, signal }: { readonly url: string; readonly signal: AbortSignal },
  action: (bounded: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(limitMs);
  try {
    return await action(AbortSignal.any([signal, deadline]));
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof FleetError) throw cause;
    if (deadline.aborted) throw new FleetError('DeadlineExceeded', `${url} took longer than ${limitMs / 1000} s`, { cause });
    throw new FleetError('DependencyFailed', `${url}: ${toFleetError(cause).message}`, { cause });
  }
}
