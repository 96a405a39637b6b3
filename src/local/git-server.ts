import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { FleetError } from '../model/fleet-error.ts';
import { type GitServerAuth, isAuthorized } from './git-server-auth.ts';
import { cgiEnvironment, isServed } from './git-server-cgi.ts';
import { pipeCgiAnswer } from './git-server-answer.ts';
import { defaultBranch, type Environment, runGit } from './git-server-run.ts';

export interface GitServerOptions {
  /** Folder of the bare repositories; made when it is missing. */
  readonly root: string;
  /** 0 or none: any free port. */
  readonly port?: number;
  /** Pushing needs no credentials unless `auth` is set, so that only loopback is a sensible place to listen. */
  readonly host?: string;
  readonly auth?: GitServerAuth;
  /** Where to find git; the usual folders unless given. */
  readonly environment?: Environment;
}

/** A Git server over smart HTTP: git's own http-backend behind a small HTTP server. */
export interface GitServer {
  readonly port: number;
  readonly root: string;
  /** 'fleet' → 'http://127.0.0.1:41234/fleet.git' */
  url(repository: string): string;
  /** Makes an empty bare repository with the branch main, unless it is there, and returns its folder. */
  createRepository(name: string): Promise<string>;
  /** Stops listening and ends every request, together with the git that serves it. */
  close(): Promise<void>;
}

/**
 * Starts the server. Fetch, push and fetching of any reachable commit work.
 * @throws FleetError ConfigInvalid when git is missing or the port is taken.
 */
export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const { root, host = '127.0.0.1', environment = {} } = options;
  await mkdir(root, { recursive: true });
  await runGit(['--version'], environment);
  const children = new Set<ChildProcess>();
  const server = createServer((request, response) => {
    answer(request, response, { options, children });
  });
  const port = await listen(server, options.port ?? 0, host);

  return {
    port,
    root,
    url: (repository) => `http://${host}:${port}/${repository}.git`,
    async createRepository(name) {
      const dir = join(root, `${name}.git`);
      await runGit(['init', '--quiet', '--bare', `--initial-branch=${defaultBranch}`, dir], environment);
      return dir;
    },
    close() {
      for (const child of children) child.kill('SIGKILL');
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      });
    },
  };
}

interface Serving {
  readonly options: GitServerOptions;
  readonly children: Set<ChildProcess>;
}

function answer(request: IncomingMessage, response: ServerResponse, { options, children }: Serving): void {
  if (!isServed(request.url ?? '')) {
    refuse(response, 404);
    return;
  }
  if (!isAuthorized(options.auth, request.headers.authorization)) {
    response.setHeader('www-authenticate', 'Basic realm="git"');
    refuse(response, 401);
    return;
  }
  const child = spawn('git', ['http-backend'], {
    env: cgiEnvironment(request, options.root, options.environment),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  children.add(child);
  child.on('close', () => children.delete(child));
  child.on('error', () => {
    refuse(response, 500);
  });
  // git may stop reading before the body ends; what it answers tells why.
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  pipeCgiAnswer(child.stdout, response);
  // A client that is gone must not leave a git behind that packs for nobody.
  response.on('close', () => child.kill());
}

function refuse(response: ServerResponse, status: number): void {
  if (!response.headersSent) response.writeHead(status);
  response.end();
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new FleetError('ConfigInvalid', `the Git server cannot listen on ${host}:${port}: ${error.message}`),
      );
    });
    server.listen(port, host, () => {
      // A server that listens on TCP has an address of this kind.
      resolve((server.address() as AddressInfo).port);
    });
  });
}
