import { FleetError } from '../model/fleet-error.ts';
import { isJsonObject, type JsonObject } from '../model/json.ts';

/** Above any object that etcd can hold by a wide margin; a line that grows past it comes from something else. */
const maxLineBytes = 32 * 1024 * 1024;

/**
 * Newline-delimited JSON objects out of chunks of bytes.
 * @throws FleetError ClusterUnreachable for anything that is no JSON object, and for an end in mid-object.
 */
export async function* parseJsonLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<JsonObject, void, undefined> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const line = Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8');
      pending = [];
      pendingBytes = 0;
      start = end + 1;
      if (line.trim() !== '') yield parseLine(line);
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    if (pendingBytes > maxLineBytes) throw unreadable('sent a line without end');
  }
  const rest = Buffer.concat(pending).toString('utf8');
  if (rest.trim() !== '') yield parseLine(rest);
}

function parseLine(line: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw unreadable('sent something that is no JSON');
  }
  if (!isJsonObject(value)) throw unreadable('sent something that is no JSON object');
  return value;
}

function unreadable(what: string): FleetError {
  return new FleetError('ClusterUnreachable', `the API server or something before it ${what}`);
}
