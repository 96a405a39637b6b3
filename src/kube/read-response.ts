import type { Dispatcher } from 'undici';

import { FleetError } from '../model/fleet-error.ts';
import { isJsonObject, type JsonValue } from '../model/json.ts';
import type { KubeRequest, KubeResponse } from './kube-client.ts';
import { networkError } from './network-error.ts';
import { statusError } from './status-error.ts';

/**
 * Reads a response to its end.
 * @throws FleetError for anything but a 2xx with a JSON object, and for a response that breaks off.
 */
export async function readResponse(
  response: Dispatcher.ResponseData,
  request: KubeRequest,
): Promise<KubeResponse> {
  const { statusCode: httpStatus, headers } = response;
  let text: string;
  try {
    text = await response.body.text();
  } catch (error) {
    request.signal.throwIfAborted();
    throw networkError(error);
  }
  if (httpStatus < 200 || httpStatus > 299) {
    throw statusError({
      httpStatus,
      body: text,
      retryAfter: single(headers['retry-after']),
      sent: request.body,
    });
  }
  return { status: httpStatus, body: parseBody(text), warnings: warningsOf(headers['warning']) };
}

function parseBody(text: string): JsonValue {
  try {
    // JSON.parse yields JSON values and nothing else.
    const value = JSON.parse(text) as JsonValue;
    if (isJsonObject(value)) return value;
  } catch {
    // Told below.
  }
  throw new FleetError(
    'ClusterUnreachable',
    'the API server or something before it answered with something that is no JSON',
  );
}

/** Source: RFC 7234 section 5.5, '299 - "text"', as API servers send it. */
function warningsOf(header: string | string[] | undefined): string[] {
  const lines = typeof header === 'string' ? [header] : (header ?? []);
  return lines.flatMap((line) =>
    [...line.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map((match) =>
      (match[1] ?? '').replace(/\\(.)/g, '$1'),
    ),
  );
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
