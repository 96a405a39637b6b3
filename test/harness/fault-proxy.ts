import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpsServer, request as httpsRequest } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createCertificateAuthority,
  type Credentials,
  openCertificateAuthority,
} from '../../src/local/control-plane/pki/certificate-authority.ts';
import { formatKubeconfig } from '../../src/local/control-plane/pki/kubeconfig.ts';
import type { ControlPlane } from '../../src/local/control-plane/start-control-plane.ts';

export interface FaultProxy {
  /** Leads through the proxy, with full rights. */
  readonly kubeconfigPath: string;
  close(): Promise<void>;
}

/** What a proxy of connections does with bytes: 'blackhole' swallows them on open and on new connections alike. */
export type Passage = 'open' | 'blackhole' | 'refuse';

export interface ConnectionProxy extends FaultProxy {
  setPassage(passage: Passage): void;
  /** Cuts every connection that is open now, without a goodbye. */
  cut(): void;
  /** How many connections are open now. */
  openConnections(): number;
}

const dayMs = 24 * 3600 * 1000;

/** Stands between a client and an API server and passes TLS through, so that only connections can be troubled. */
export async function proxyConnections(controlPlane: ControlPlane): Promise<ConnectionProxy> {
  const target = new URL(controlPlane.url);
  const sockets = new Set<Socket>();
  let passage: Passage = 'open';
  const server = createServer((client) => {
    if (passage === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => passage === 'open' && to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const credentials = await controlPlane.issueCredentials('proxied', ['system:masters'], dayMs);
  const { kubeconfigPath, close } = await serve(server, { ca: controlPlane.ca, credentials });
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    kubeconfigPath,
    setPassage: (next) => {
      passage = next;
    },
    cut,
    openConnections: () => sockets.size / 2,
    async close() {
      cut();
      await close();
    },
  };
}

/** An answer in place of the API server's, or what to do with the API server's. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: string }
  /** Passes this many bytes of the answer's body, then cuts the connection. */
  | { readonly cutAfterBytes: number };

export interface AnswerProxy extends FaultProxy {
  /** Asked for every request; undefined lets it pass. */
  answer: (request: {
    readonly method: string;
    readonly url: string;
    readonly authorization: string;
  }) => Fault | undefined;
  /** 'GET /api/v1/…', in the order of arrival. */
  readonly seen: readonly string[];
  /** Cuts every connection that is open now. */
  cut(): void;
  /** Asks the API server for plain JSON whatever the client accepts, as a server would answer that knows no other. */
  stripAccept: boolean;
}

/** Stands between a client and an API server with TLS of its own, HTTP/1.1 only, so that answers can be troubled. */
export async function proxyAnswers(controlPlane: ControlPlane): Promise<AnswerProxy> {
  const authority = await openCertificateAuthority(await createCertificateAuthority('fault-proxy'));
  const own = await authority.issueServer(['localhost'], ['127.0.0.1'], dayMs);
  const admin = await controlPlane.issueCredentials('proxied', ['system:masters'], dayMs);
  const seen: string[] = [];
  const proxy: AnswerProxy = {
    answer: () => undefined,
    seen,
    kubeconfigPath: '',
    cut: () => undefined,
    stripAccept: false,
    close: () => Promise.resolve(),
  };
  const server = createHttpsServer({ cert: own.certificate, key: own.key }, (request, response) => {
    const asked = {
      method: request.method ?? '',
      url: request.url ?? '',
      authorization: request.headers.authorization ?? '',
    };
    seen.push(`${asked.method} ${asked.url}`);
    const fault = proxy.answer(asked);
    if (fault !== undefined && 'status' in fault) {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    if (proxy.stripAccept) request.headers.accept = 'application/json';
    forward(request, response, { controlPlane, admin, cutAfterBytes: fault?.cutAfterBytes });
  });
  const cut = (): void => {
    server.closeAllConnections();
  };
  return Object.assign(
    proxy,
    { cut },
    await serve(server, { ca: authority.certificate, credentials: admin }),
  );
}

interface Forwarding {
  readonly controlPlane: ControlPlane;
  readonly admin: Credentials;
  readonly cutAfterBytes: number | undefined;
}

function forward(request: IncomingMessage, response: ServerResponse, to: Forwarding): void {
  const upstream = httpsRequest(
    new URL(request.url ?? '/', to.controlPlane.url),
    {
      method: request.method,
      headers: { ...request.headers, authorization: '' },
      ca: to.controlPlane.ca,
      cert: to.admin.certificate,
      key: to.admin.key,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      let left = to.cutAfterBytes ?? Infinity;
      answer.on('data', (bytes: Buffer) => {
        if (bytes.length < left) response.write(bytes);
        else response.write(bytes.subarray(0, left), () => request.socket.destroy());
        left -= bytes.length;
      });
      answer.on('end', () => response.end());
      answer.on('error', () => request.socket.destroy());
    },
  );
  upstream.on('error', () => request.socket.destroy());
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}

async function serve(
  server: Server,
  { ca, credentials }: { ca: string; credentials: Credentials },
): Promise<{ kubeconfigPath: string; close: () => Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dir = await mkdtemp(join(tmpdir(), 'fault-proxy-'));
  const kubeconfigPath = join(dir, 'kubeconfig');
  const url = `https://127.0.0.1:${port}`;
  await writeFile(
    kubeconfigPath,
    formatKubeconfig({ name: 'proxied', url, user: 'proxied', ca, credentials }),
    { mode: 0o600 },
  );
  return {
    kubeconfigPath,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      if ('closeAllConnections' in server)
        (server as { closeAllConnections: () => void }).closeAllConnections();
      await closed;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
