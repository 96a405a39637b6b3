import { spawn, type SpawnOptions } from 'node:child_process';
import type { RequestOptions } from 'node:https';
import { dirname, resolve } from 'node:path';

import { FleetError } from '../model/fleet-error.ts';
import type { ClusterConnection } from '../model/settings.ts';
import type { KubeconfigContext, KubeconfigUser } from './parse-kubeconfig.ts';

/** What a credential plugin contributes to a request. */
export interface PluginCredential {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: { readonly cert?: string; readonly key?: string };
}

/** Gets credentials from outside the kubeconfig. Concurrent calls share one run of the plugin. */
export interface AuthPlugin {
  credential(): Promise<PluginCredential>;
}

/** A plugin that asks on a terminal that is not there would otherwise hold every request for ever. */
const pluginTimeoutMs = 60_000;

/**
 * The exec plugin or auth-provider of a context, or undefined for a context with plain credentials.
 * Loads only the parts of client-node that it needs: docs/decisions/0004-kubeconfig.md.
 */
export async function openAuthPlugin(
  context: KubeconfigContext,
  connection: ClusterConnection,
): Promise<AuthPlugin | undefined> {
  const { exec } = context.user;
  const provider = context.user['auth-provider'];
  if (exec !== undefined && exec !== null) return shared(await execPlugin(context, exec, connection.path));
  if (provider !== undefined && provider !== null) return shared(await providerPlugin(context, connection));
  return undefined;
}

type Apply = (options: RequestOptions) => Promise<void>;

async function execPlugin(
  context: KubeconfigContext,
  exec: NonNullable<KubeconfigUser['exec']>,
  file: string,
): Promise<Apply> {
  const { ExecAuth } = await import('@kubernetes/client-node/dist/exec_auth.js');
  const auth = new ExecAuth();
  const run = (command: string, args: readonly string[], options: SpawnOptions): ReturnType<typeof spawn> =>
    spawn(command, args, { ...options, timeout: pluginTimeoutMs, killSignal: 'SIGKILL' });
  Object.assign(auth, { execFn: run });
  const settings = {
    ...exec,
    // As kubectl: a command with a slash is relative to the kubeconfig, any other is looked up on the PATH.
    command: exec.command.includes('/') ? resolve(dirname(file), exec.command) : exec.command,
    args: exec.args ?? [],
    env: [...(exec.env ?? []), { name: 'KUBERNETES_EXEC_INFO', value: execInfo(context, exec) }],
  };
  return (options) => auth.applyAuthentication({ name: context.name, exec: settings }, options);
}

/** Source: client.authentication.k8s.io/v1 ExecCredential, spec. */
function execInfo(context: KubeconfigContext, exec: NonNullable<KubeconfigUser['exec']>): string {
  const { cluster } = context;
  const spec = {
    interactive: false,
    ...(exec.provideClusterInfo === true
      ? {
          cluster: {
            server: cluster.server,
            'tls-server-name': cluster['tls-server-name'],
            'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'],
            'certificate-authority-data': cluster['certificate-authority-data'],
            'proxy-url': cluster['proxy-url'],
          },
        }
      : {}),
  };
  return JSON.stringify({
    apiVersion: exec.apiVersion ?? 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec,
  });
}

async function providerPlugin(context: KubeconfigContext, connection: ClusterConnection): Promise<Apply> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromFile(connection.path);
  config.setCurrentContext(context.name);
  return (options) => config.applyToHTTPSOptions(options);
}

function shared(apply: Apply): AuthPlugin {
  let running: Promise<PluginCredential> | undefined;
  return {
    credential() {
      running ??= run(apply).finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}

async function run(apply: Apply): Promise<PluginCredential> {
  const options: RequestOptions = { headers: {} };
  try {
    await apply(options);
  } catch (error) {
    throw new FleetError(
      'ClusterUnauthorized',
      `the kubeconfig's credential plugin failed: ${lastLine(error)}`,
    );
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (typeof value === 'string') headers.set(name, value);
  }
  const { cert, key } = options;
  return {
    headers: Object.fromEntries(headers),
    tls: typeof cert === 'string' && typeof key === 'string' ? { cert, key } : {},
  };
}

/** What a plugin says last is what a person has to do, such as to log in again. */
function lastLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.trim().split('\n').at(-1) ?? '').slice(0, 200);
}
