import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the proxy does with a request. */
export type Fault =
  | { readonly kind: 'none' }
  /** Hides that the client speaks protocol version 2, so that the server answers as one from before it. */
  | { readonly kind: 'oldProtocol' }
  /** Waits before it passes the answer's head on. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Passes this much of the answer's body on and then breaks the connection. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** Passes this much of the answer's body on and then ends it as if that were all. */
  | { readonly kind: 'truncate'; readonly afterBytes: number }
  /** Never answers. */
  | { readonly kind: 'mute' }
  /** Passes the head on and this much of the body, then falls silent. */
  | { readonly kind: 'stall'; readonly afterBytes: number };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

/** A proxy in front of a Git server that counts and spoils. */
export interface FaultProxy {
  readonly port: number;
  /** The same repository through the proxy. */
  url(repository: string): string;
  /** Says for each request what to do with it; nothing is wrong unless this says so. */
  spoil(choose: (request: SeenRequest) => Fault): void;
  readonly requests: readonly SeenRequest[];
  /** Body bytes that came back through the proxy. */
  bytes(): number;
  reset(): void;
  close(): Promise<void>;
}

export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const requests: SeenRequest[] = [];
  let bytes = 0;
  let choose: (request: SeenRequest) => Fault = () => ({ kind: 'none' });

  const server = createServer((request, response) => {
    const seen = {
      method: request.method ?? '',
      path: request.url ?? '',
      authorization: request.headers.authorization,
    };
    requests.push(seen);
    const fault = choose(seen);
    if (fault.kind === 'mute') return;
    if (fault.kind === 'status') {
      response.writeHead(fault.status, fault.headers);
      response.end(fault.body);
      return;
    }
    forward(request, response, { fault, targetPort, count: (size) => (bytes += size) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: (repository) => `http://127.0.0.1:${port}/${repository}.git`,
    spoil(chooser) {
      choose = chooser;
    },
    requests,
    bytes: () => bytes,
    reset() {
      requests.length = 0;
      bytes = 0;
      choose = () => ({ kind: 'none' });
    },
    close() {
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      });
    },
  };
}

interface Forwarding {
  readonly fault: Exclude<Fault, { kind: 'mute' | 'status' }>;
  readonly targetPort: number;
  readonly count: (bytes: number) => void;
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { fault, targetPort, count }: Forwarding,
): void {
  const { method, url } = request;
  const { 'git-protocol': protocol, ...others } = request.headers;
  const headers = fault.kind === 'oldProtocol' || protocol === undefined ? others : request.headers;
  const upstream = httpRequest(
    { host: '127.0.0.1', port: targetPort, method, path: url, headers },
    (answer) => {
      const pass = (): void => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        let passed = 0;
        answer.on('data', (chunk: Buffer) => {
          const left = 'afterBytes' in fault ? fault.afterBytes - passed : chunk.length;
          if (left > 0) response.write(chunk.subarray(0, left));
          passed += Math.min(left, chunk.length);
          count(Math.min(left, chunk.length));
          if (fault.kind === 'cut' && passed >= fault.afterBytes) setTimeout(() => response.destroy(), 20);
        });
        answer.on('end', () => {
          if (fault.kind !== 'stall' && fault.kind !== 'cut') response.end();
        });
      };
      if (fault.kind === 'delay') setTimeout(pass, fault.delayMs);
      else pass();
    },
  );
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}
