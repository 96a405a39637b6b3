import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

const maxHeadBytes = 64 * 1024;

/** Sends what a CGI program writes: header lines, one of which may be `Status:`, an empty line, the body. */
export function pipeCgiAnswer(output: Readable, response: ServerResponse): void {
  let head = Buffer.alloc(0);

  const onData = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0 && head.length < maxHeadBytes) return;
    output.off('data', onData);
    if (end < 0) {
      fail(response);
      return;
    }
    writeHead(response, head.toString('latin1', 0, end));
    response.write(head.subarray(end + 4));
    output.pipe(response);
  };

  output.on('data', onData);
  output.on('end', () => {
    if (!response.headersSent) fail(response);
  });
}

function writeHead(response: ServerResponse, head: string): void {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}

function fail(response: ServerResponse): void {
  response.writeHead(500);
  response.end();
}
