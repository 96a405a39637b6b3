import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FleetError } from '../../model/fleet-error.ts';
import { apiServerFlags, auditPolicy, controllerManagerFlags, etcdFlags, etcdSockets, serverAddresses } from './component-flags.ts';
import type { Command, ComponentName, ControlPlaneBinaries, OnProgress } from './component-name.ts';
import { type Component, createComponent } from './component.ts';
import { freePort } from './free-port.ts';
import type { Credentials } from './pki/certificate-authority.ts';
import { formatKubeconfig } from './pki/kubeconfig.ts';
import { type PkiFiles, writePki } from './pki/write-pki.ts';
import { writePrivateFile } from './pki/write-private-file.ts';
import { isApiServerReady } from './readiness.ts';

/** A running control plane on this machine. */
export interface ControlPlane {
  readonly name: string;
  /** 'https://127.0.0.1:PORT'. */
  readonly url: string;
  /** Of the user `admin` in the group system:masters; its one context is named after the control plane. */
  readonly kubeconfigPath: string;
  /** The authority's certificate, PEM. */
  readonly ca: string;
  /** One JSON event a line; undefined when started with `auditLog: false`. */
  readonly auditLogPath: string | undefined;
  component(name: ComponentName): Component;
  /**
   * A kubeconfig for a user of these groups, who has only the rights that RBAC gives them.
   * @returns its path. `lifetimeMs` is cut to whole seconds, as certificates are.
   */
  issueClient(user: string, groups: readonly string[], lifetimeMs: number): Promise<string>;
  /** The same as PEM. */
  issueCredentials(user: string, groups: readonly string[], lifetimeMs: number): Promise<Credentials>;
  /** Ends all three programs; the folder stays and may be started again. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly binaries: ControlPlaneBinaries;
  /** Holds data, keys, logs and kubeconfigs. Starting with the same folder again continues where it ended. */
  readonly dir: string;
  readonly name: string;
  /** True unless given. */
  readonly auditLog?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

const adminLifetimeMs = 365 * 24 * 3600 * 1000;
const startAttempts = 5;

/**
 * Starts etcd, kube-apiserver and kube-controller-manager, and resolves when the API server serves. About 3 s.
 * All three end with this process, however it ends.
 * @throws FleetError DependencyFailed with the end of the log of the program that failed; DeadlineExceeded.
 */
export async function startControlPlane(options: StartOptions): Promise<ControlPlane> {
  const dir = resolve(options.dir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const pki = await writePki(join(dir, 'pki'), options.name, serverAddresses);
  const admin = await pki.authority.issueClient('admin', ['system:masters'], adminLifetimeMs);
  const context: Context = { ...options, dir, pki, admin, auditLogPath: await prepareAudit({ ...options, dir }) };

  const running: Component[] = [];
  const started = async (component: Component): Promise<Component> => {
    await component.start(options.signal);
    running.push(component);
    return component;
  };
  try {
    const etcd = await started(createEtcd(context));
    const { apiServer, url } = await startApiServer(context, started);
    const kubeconfigPath = await writeKubeconfig(context, 'admin', { url, user: 'admin', credentials: admin });
    const controllerManager = await started(await createControllerManager(context, url));
    return describe(context, { url, kubeconfigPath, components: [etcd, apiServer, controllerManager] });
  } catch (error) {
    await Promise.all(running.map((component) => component.kill()));
    throw error;
  }
}

interface Context extends StartOptions {
  readonly pki: PkiFiles;
  readonly admin: Credentials;
  readonly auditLogPath: string | undefined;
}

function createEtcd({ binaries, dir }: Context): Component {
  const sockets = Object.values(etcdSockets).map((socket) => join(dir, socket));
  return createComponent({
    name: 'etcd',
    command: withFlags(binaries.commands.etcd, etcdFlags()),
    cwd: dir,
    logPath: join(dir, 'etcd.log'),
    // A killed etcd leaves its sockets behind; they must not be taken for those of the next one.
    prepare: async () => {
      await Promise.all(sockets.map((socket) => rm(socket, { force: true })));
    },
    isReady: async () => (await Promise.all(sockets.map(exists))).every(Boolean),
  });
}

/** Takes the port of the last start where that is free still, so that kubeconfigs handed out then hold on. */
async function startApiServer(context: Context, started: (component: Component) => Promise<Component>) {
  const portPath = join(context.dir, 'port');
  const lastPort = Number(await readFile(portPath, 'utf8').catch(() => '0'));
  for (let attempt = 1; ; attempt += 1) {
    const port = attempt === 1 && lastPort > 0 ? lastPort : await freePort();
    const url = `https://127.0.0.1:${port}`;
    try {
      const apiServer = await started(createApiServer(context, port));
      await writePrivateFile(portPath, String(port));
      return { apiServer, url };
    } catch (error) {
      const reason = reasonToRetry(error, port);
      if (attempt >= startAttempts || reason === undefined) throw error;
      context.onProgress?.(`${context.name}: ${reason}`);
    }
  }
}

function createApiServer(context: Context, port: number): Component {
  const { binaries, dir, pki, admin, auditLogPath } = context;
  const audit = auditLogPath === undefined ? {} : { audit: { logPath: auditLogPath, policyPath: policyPathIn(dir) } };
  const tls = { ca: pki.authority.certificate, credentials: admin };
  return createComponent({
    name: 'kube-apiserver',
    command: withFlags(binaries.commands['kube-apiserver'], apiServerFlags({ port, pki, ...audit })),
    cwd: dir,
    logPath: join(dir, 'kube-apiserver.log'),
    isReady: (signal) => isApiServerReady(`https://127.0.0.1:${port}`, tls, signal),
  });
}

async function createControllerManager(context: Context, url: string): Promise<Component> {
  const { binaries, dir, pki } = context;
  const user = 'system:kube-controller-manager';
  const credentials = await pki.authority.issueClient(user, [], adminLifetimeMs);
  const kubeconfigPath = await writeKubeconfig(context, 'kube-controller-manager', { url, user, credentials });
  return createComponent({
    name: 'kube-controller-manager',
    command: withFlags(binaries.commands['kube-controller-manager'], controllerManagerFlags(kubeconfigPath, pki)),
    cwd: dir,
    logPath: join(dir, 'kube-controller-manager.log'),
    // It serves nothing; it retries whatever it needs by itself.
    isReady: () => Promise.resolve(true),
  });
}

interface Running {
  readonly url: string;
  readonly kubeconfigPath: string;
  readonly components: readonly Component[];
}

function describe(context: Context, { url, kubeconfigPath, components }: Running): ControlPlane {
  const { authority } = context.pki;
  let issued = 0;
  return {
    name: context.name,
    url,
    kubeconfigPath,
    ca: authority.certificate,
    auditLogPath: context.auditLogPath,
    component(name) {
      const found = components.find((component) => component.name === name);
      if (found === undefined) throw new FleetError('Internal', `no component ${name}`);
      return found;
    },
    async issueClient(user, groups, lifetimeMs) {
      const credentials = await authority.issueClient(user, groups, lifetimeMs);
      issued += 1;
      const file = `${user.replaceAll(/[^A-Za-z0-9.-]/g, '-')}-${issued}`;
      return writeKubeconfig(context, file, { url, user, credentials });
    },
    issueCredentials: (user, groups, lifetimeMs) => authority.issueClient(user, groups, lifetimeMs),
    async stop() {
      // Clients before what they talk to; etcd last.
      for (const component of components.toReversed()) await component.stop();
    },
  };
}

async function writeKubeconfig(
  { dir, name, pki }: Context,
  file: string,
  who: { readonly url: string; readonly user: string; readonly credentials: Credentials },
): Promise<string> {
  const path = join(dir, `${file}.kubeconfig`);
  await writePrivateFile(path, formatKubeconfig({ name, ca: pki.authority.certificate, ...who }));
  return path;
}

async function prepareAudit({ dir, auditLog = true }: StartOptions): Promise<string | undefined> {
  if (!auditLog) return undefined;
  await writePrivateFile(policyPathIn(dir), JSON.stringify(auditPolicy));
  return join(dir, 'audit.jsonl');
}

function policyPathIn(dir: string): string {
  return join(dir, 'audit-policy.json');
}

function withFlags(command: Command, flags: readonly string[]): Command {
  return { path: command.path, args: [...command.args, ...flags] };
}

/** Why the API server may start the next time, said for people; undefined for what would only fail again. */
function reasonToRetry(error: unknown, port: number): string | undefined {
  const message = error instanceof FleetError ? error.message : '';
  if (message.includes('address already in use')) return `port ${port} was taken meanwhile, trying another`;
  // It waits 20 s for etcd, which on a busy disk takes longer to open its files.
  if (message.includes('error creating storage factory')) return 'etcd was not ready in time, trying again';
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
