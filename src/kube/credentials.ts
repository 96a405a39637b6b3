import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { FleetError } from '../model/fleet-error.ts';
import type { ClusterConnection } from '../model/settings.ts';
import { type AuthPlugin, openAuthPlugin } from './auth-plugin.ts';
import { type KubeconfigContext, parseKubeconfig } from './parse-kubeconfig.ts';

/** TLS client settings, as node:tls takes them. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** Everything that a request to one API server needs beside the request itself. */
export interface Access {
  /** Address of the API server, perhaps with a path below which it is served. */
  readonly server: string;
  readonly proxyUrl?: string;
  readonly tls: TlsMaterial;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Credentials {
  /** The access to use now; the same object for as long as nothing changed. Token files are read again each minute. */
  current(): Promise<Access>;
  /** Reads everything anew and asks plugins again: for an API server that answered 401. */
  renew(): Promise<void>;
}

/** client-go's period for token files: kubelet renews them long before they expire. */
const tokenFileMaxAgeMs = 60_000;

/**
 * The credentials of a kubeconfig context.
 * @throws FleetError ConfigInvalid when the file, the context or a file named by it cannot be read.
 */
export async function openCredentials(
  connection: ClusterConnection,
  now: () => number,
): Promise<Credentials> {
  let context = await readContext(connection);
  let plugin = await openAuthPlugin(context, connection);
  let fixed = await readAccess(context, connection.path);
  let access = fixed;
  let readAtMs = now();
  const reload = async (): Promise<void> => {
    context = await readContext(connection);
    fixed = await readAccess(context, connection.path);
    plugin = await openAuthPlugin(context, connection);
    access = fixed;
    readAtMs = now();
  };
  return {
    async current() {
      if (context.user.tokenFile !== undefined && now() - readAtMs > tokenFileMaxAgeMs) await reload();
      if (plugin !== undefined) access = await withPlugin(fixed, access, plugin);
      return access;
    },
    renew: reload,
  };
}

async function withPlugin(fixed: Access, last: Access, plugin: AuthPlugin): Promise<Access> {
  const extra = await plugin.credential();
  const next: Access = {
    ...fixed,
    headers: { ...fixed.headers, ...extra.headers },
    tls: { ...fixed.tls, ...extra.tls },
  };
  return JSON.stringify(next) === JSON.stringify(last) ? last : next;
}

async function readContext(connection: ClusterConnection): Promise<KubeconfigContext> {
  const content = await read(
    connection.path,
    (code) => `kubeconfig ${connection.path} cannot be read (${code})`,
  );
  return parseKubeconfig(content, { file: connection.path, context: connection.context });
}

async function readAccess(context: KubeconfigContext, file: string): Promise<Access> {
  const { cluster, user } = context;
  const fromFile = (path: string): Promise<string> => {
    const absolute = resolve(dirname(file), path);
    return read(
      absolute,
      (code) => `kubeconfig ${file}, context '${context.name}': ${absolute} cannot be read (${code})`,
    );
  };
  const pem = async (data: string | undefined, path: string | undefined): Promise<string | undefined> => {
    if (data !== undefined && data !== '') return Buffer.from(data, 'base64').toString('utf8');
    return path === undefined || path === '' ? undefined : fromFile(path);
  };
  const token = user.tokenFile === undefined ? user.token : (await fromFile(user.tokenFile)).trim();
  return {
    server: cluster.server,
    ...defined({ proxyUrl: cluster['proxy-url'] }),
    tls: defined({
      ca: await pem(cluster['certificate-authority-data'], cluster['certificate-authority']),
      cert: await pem(user['client-certificate-data'], user['client-certificate']),
      key: await pem(user['client-key-data'], user['client-key']),
      servername: cluster['tls-server-name'],
      rejectUnauthorized: cluster['insecure-skip-tls-verify'] === true ? false : undefined,
    }),
    headers: { ...authorization(token, user), ...impersonation(user) },
  };
}

function authorization(token: string | undefined, user: KubeconfigContext['user']): Record<string, string> {
  if (token !== undefined && token !== '') return { authorization: `Bearer ${token}` };
  if (user.username === undefined || user.username === '') return {};
  const pair = Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

/** Left out, requests would run with more rights than the kubeconfig's author meant. */
function impersonation(user: KubeconfigContext['user']): Record<string, string> {
  if (
    user['as-groups'] !== undefined ||
    user['as-user-extra'] !== undefined ||
    user['as-uid'] !== undefined
  ) {
    throw new FleetError(
      'ConfigInvalid',
      'as-groups, as-uid and as-user-extra in a kubeconfig are not supported',
    );
  }
  return user.as === undefined ? {} : { 'impersonate-user': user.as };
}

async function read(path: string, describe: (code: string) => string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new FleetError('ConfigInvalid', describe(code));
  }
}

/** The same object without the keys that are undefined. */
function defined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Object.entries forgets the keys' types; only keys are removed here.
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
