import { Pool } from 'undici';
import type { Credentials } from '../pki/certificate-authority.ts';
import { isJsonObject, type JsonObject, stringAt } from '../../../model/json.ts';

/** The few requests that a node makes of its API server. */
export interface NodeApi {
  /** Answers of every status are values; only a broken connection or a passed deadline throws. */
  send(request: ApiRequest, signal: AbortSignal): Promise<{ readonly status: number; readonly body: unknown }>;
  /** The events of a watch, until the server ends it. */
  watch(path: string, signal: AbortSignal): AsyncGenerator<WatchEvent>;
  close(): Promise<void>;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: JsonObject;
  /** Of the body; application/json unless given. */
  readonly contentType?: string;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

const requestTimeoutMs = 10_000;
const connections = 8;

export function connectNodeApi(url: string, tls: { readonly ca: string; readonly credentials: Credentials }): NodeApi {
  const pool = new Pool(url, {
    connections,
    connect: { ca: tls.ca, cert: tls.credentials.certificate, key: tls.credentials.key, timeout: requestTimeoutMs },
    // A watch may be quiet for as long as nothing happens.
    bodyTimeout: 0,
  });
  return {
    async send({ method, path, body, contentType = 'application/json' }, signal) {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
      const answer = await pool.request({
        method,
        path,
        signal: bounded,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': contentType } }),
      });
      return { status: answer.statusCode, body: parseJson(await answer.body.text()) };
    },
    async *watch(path, signal) {
      const { body, statusCode } = await pool.request({ method: 'GET', path, signal });
      if (statusCode !== 200) {
        await body.dump();
        return;
      }
      let rest = '';
      for await (const chunk of body.setEncoding('utf8') as AsyncIterable<string>) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield parseEvent(line);
      }
    },
    close: () => pool.destroy(),
  };
}

/** What is no JSON, such as a plain 404, is of no interest to a node. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function parseEvent(line: string): WatchEvent {
  const event = parseJson(line);
  const object = isJsonObject(event) ? event['object'] : undefined;
  return { type: stringAt(event, 'type') ?? 'ERROR', object: isJsonObject(object) ? object : {} };
}
