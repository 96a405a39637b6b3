import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { FleetEngine } from '../../src/engine/fleet-engine.ts';
import { viewDriftReport, viewStatus, viewSyncReport } from '../../src/engine/fleet-view.ts';
import { type OnceReports, runOnce, type RunOnceOptions } from '../../src/engine/run-once.ts';
import { openGitSource } from '../../src/git/open-git-source.ts';
import { systemClock } from '../../src/kube/clock.ts';
import { connectCluster } from '../../src/kube/connect.ts';
import type { KubeClient } from '../../src/kube/kube-client.ts';
import type { ControlPlane } from '../../src/local/control-plane/start-control-plane.ts';
import type { GitServer } from '../../src/local/git-server.ts';
import type { Change, ChangeAction, Drift } from '../../src/model/change.ts';
import type { JsonObject, JsonValue } from '../../src/model/json.ts';
import type { ChangeReport, DriftReport } from '../../src/model/report.ts';
import { type Cluster, defaultPruneLimit, type FleetSettings } from '../../src/model/settings.ts';
import type { FleetStatus } from '../../src/model/status.ts';
import { openStateStore, type StateStore } from '../../src/store/state-store.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { uniqueNamespace } from './control-plane.ts';
import { type Files, type GitWorld, startGitWorld, type TestRepository } from './git.ts';

/** A cluster of a test fleet: a control plane and its labels. */
export interface TestCluster {
  readonly name: string;
  readonly controlPlane: Pick<ControlPlane, 'kubeconfigPath'>;
  readonly labels?: Readonly<Record<string, string>>;
  /** The audit log that the registry names. */
  readonly auditPath?: string;
}

/** A fleet of its own: a repository on a real Git server, real clusters, and a state folder. */
export interface TestFleet {
  readonly repository: TestRepository;
  /** Serves the repository; a test may end it before the fleet does. */
  readonly gitServer: GitServer;
  readonly settings: FleetSettings;
  /** A namespace that no other test uses. */
  readonly namespace: string;
  /** One pass, as `fleetwright sync`, `plan` or `drift` make it. */
  once(mode: RunOnceOptions['mode'], narrow?: Partial<RunOnceOptions>): Promise<OnceReports>;
  sync(): Promise<ChangeReport>;
  /** Starts the engine; it is stopped with the fleet unless stopped before. */
  start(): TestEngine;
  /** Gives a cluster other labels: in the settings, or in the file that registers it. */
  relabel(cluster: string, labels: Readonly<Record<string, string>>): void;
  /** Removes the state folder, as if Fleetwright had never run here. */
  forget(): Promise<void>;
  /** The folder of files that register clusters, where the fleet has one. */
  readonly registryDir: string;
  /** Approves a hold as another process does. */
  approve(holdId: string, cluster?: string): void;
  close(): Promise<void>;
}

export interface TestEngine {
  readonly engine: FleetEngine;
  drift(): DriftReport;
  report(): ChangeReport;
  status(): FleetStatus;
  /** Everything logged so far, of every level. */
  log(): string;
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestFleetOptions {
  readonly clusters: readonly TestCluster[];
  readonly files?: (namespace: string) => Files;
  readonly sync?: Partial<FleetSettings['sync']>;
  readonly labelGraceMs?: number;
  readonly intervalMs?: number;
  /** Register clusters by a file each, in a folder that the engine follows, instead of in the settings. */
  readonly registry?: boolean;
}

/** Makes a fleet whose name and namespace are its own, so that tests share control planes without meeting. */
export async function startTestFleet(options: TestFleetOptions): Promise<TestFleet> {
  const world = await startGitWorld();
  const namespace = uniqueNamespace('fleet');
  const repository = await world.repository(options.files?.(namespace));
  const stateDir = await world.tempDir('state');
  let clusters: Cluster[] = options.clusters.map((cluster) => ({
    name: cluster.name,
    labels: cluster.labels ?? {},
    annotations: {},
    connection: { kind: 'kubeconfig', path: cluster.controlPlane.kubeconfigPath },
    ...(cluster.auditPath === undefined ? {} : { audit: { path: cluster.auditPath } }),
  }));
  const registryDir = await world.tempDir('clusters');
  if (options.registry === true) for (const cluster of clusters) writeRegistration(registryDir, cluster);
  const settings: FleetSettings = {
    name: namespace,
    source: { url: repository.url, ref: 'main', path: '', intervalMs: options.intervalMs ?? 200 },
    clusters: options.registry === true ? [{ kind: 'directory', path: registryDir }] : [],
    get inlineClusters() {
      return options.registry === true ? [] : clusters;
    },
    sync: { drift: 'correct', prune: true, pruneLimit: defaultPruneLimit, ...options.sync },
    labelGraceMs: options.labelGraceMs ?? 0,
    server: { host: '127.0.0.1', port: 0 },
    stateDir,
    tools: {},
  };
  const engines = new Set<TestEngine>();
  const once: TestFleet['once'] = (mode, narrow = {}) => lookOnce(settings, { mode, ...narrow });
  return {
    repository,
    gitServer: world.server,
    settings,
    namespace,
    once,
    sync: async () => (await once('sync')).changes,
    start() {
      const running = startEngine(settings, (engine) => engines.delete(engine));
      engines.add(running);
      return running;
    },
    registryDir,
    relabel(name, labels) {
      clusters = clusters.map((cluster) => (cluster.name === name ? { ...cluster, labels } : cluster));
      const relabelled = clusters.find((cluster) => cluster.name === name);
      if (options.registry === true && relabelled !== undefined) writeRegistration(registryDir, relabelled);
    },
    approve(holdId, cluster = options.clusters[0]?.name ?? '') {
      const store = openStateStore(stateDir);
      store.approve(holdId, { cluster, by: 'Ada', at: new Date().toISOString() });
      store.close();
    },
    forget: () => rm(stateDir, { recursive: true, force: true }),
    async close() {
      await Promise.all([...engines].map((engine) => engine.stop()));
      await closeWorld(world, stateDir);
    },
  };
}

/** Replaces the file of a cluster in one step, as careful tools do. */
export function writeRegistration(dir: string, { name, labels, connection, audit }: Cluster): void {
  const document = {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name, labels },
    spec: { kubeconfig: { path: connection.path }, ...(audit === undefined ? {} : { audit }) },
  };
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, `.${name}.new`), JSON.stringify(document));
  renameSync(join(dir, `.${name}.new`), join(dir, `${name}.yaml`));
}

async function closeWorld(world: GitWorld, stateDir: string): Promise<void> {
  await rm(stateDir, { recursive: true, force: true });
  await world.close();
}

async function lookOnce(
  settings: FleetSettings,
  given: Partial<RunOnceOptions> & Pick<RunOnceOptions, 'mode'>,
): Promise<OnceReports> {
  const source = openGitSource(settings.source, { stateDir: settings.stateDir });
  const store = openStateStore(settings.stateDir, { readOnly: given.mode !== 'sync' });
  try {
    return await runOnce({
      settings,
      source,
      store,
      clock: systemClock,
      random: Math.random,
      signal: AbortSignal.timeout(60_000),
      onProgress: () => undefined,
      clusters: [],
      generators: [],
      ...given,
    });
  } finally {
    await source.close();
    store.close();
  }
}

function startEngine(settings: FleetSettings, onStop: (engine: TestEngine) => void): TestEngine {
  const store: StateStore = openStateStore(settings.stateDir);
  let log = '';
  const write = (line: string): void => {
    log += line;
  };
  const engine = new FleetEngine({
    settings,
    source: openGitSource(settings.source, { stateDir: join(settings.stateDir, 'engine') }),
    store,
    clock: systemClock,
    random: Math.random,
    logger: createLogger({ level: 'debug', destination: { write }, pretty: false, now: () => new Date() }),
    onProgress: () => undefined,
  });
  engine.start();
  let stopped: Promise<void> | undefined;
  const running: TestEngine = {
    engine,
    drift: () => viewDriftReport(engine.view(), store),
    report: () => viewSyncReport(engine.view(), store),
    status: () => viewStatus(engine.view(), store),
    log: () => log,
    settled: () => engine.whenSettled(AbortSignal.timeout(30_000)),
    stop() {
      stopped ??= engine.stop().then(() => {
        store.close();
        onStop(running);
      });
      return stopped;
    },
  };
  return running;
}

/** Changes of a report as 'action Kind/name', sorted; `unchanged` ones only on request. */
export function actionsOf(report: ChangeReport, { unchanged = false } = {}): string[] {
  return report.clusters
    .flatMap((cluster) => cluster.changes)
    .filter((change) => unchanged || change.action !== 'unchanged')
    .map(({ action, ref }) => `${action} ${ref.kind}/${ref.name}`)
    .sort();
}

/** The one change of that object in a report. */
export function changeOf(report: ChangeReport, name: string): Change {
  const [change, ...others] = report.clusters
    .flatMap((cluster) => cluster.changes)
    .filter(({ ref }) => ref.name === name);
  if (change === undefined || others.length > 0)
    throw new Error(`${others.length === 0 ? 'no' : 'more than one'} change of ${name}`);
  return change;
}

export function countOf(report: ChangeReport, action: ChangeAction): number {
  return report.clusters.flatMap((cluster) => cluster.changes).filter((change) => change.action === action)
    .length;
}

/** The drift of that object in a report, or undefined. */
export function driftOf(report: DriftReport, name: string): Drift | undefined {
  return report.clusters.flatMap((cluster) => cluster.objects).find(({ ref }) => ref.name === name);
}

/** Speaks to a cluster as somebody else than Fleetwright. */
export interface Outsider {
  get(path: string): Promise<JsonObject | undefined>;
  /** A merge patch in the name of a field manager. */
  patch(path: string, body: JsonValue, manager?: string): Promise<JsonObject>;
  create(path: string, body: JsonValue): Promise<JsonObject>;
  delete(path: string): Promise<void>;
  readonly client: KubeClient;
  close(): Promise<void>;
}

export async function outsider(controlPlane: Pick<ControlPlane, 'kubeconfigPath'>): Promise<Outsider> {
  const client = await connectCluster({
    name: 'outsider',
    labels: {},
    annotations: {},
    connection: { kind: 'kubeconfig', path: controlPlane.kubeconfigPath },
  });
  const signal = AbortSignal.timeout(600_000);
  return {
    client,
    async get(path) {
      try {
        return (await client.request({ method: 'GET', path, signal })).body as JsonObject;
      } catch (error) {
        if (String(error).includes('not found')) return undefined;
        throw error;
      }
    },
    async patch(path, body, manager = 'kubectl-edit') {
      const contentType = 'application/merge-patch+json';
      return (
        await client.request({
          method: 'PATCH',
          path,
          query: { fieldManager: manager },
          body,
          contentType,
          signal,
        })
      ).body as JsonObject;
    },
    async create(path, body) {
      return (
        await client.request({
          method: 'POST',
          path,
          query: { fieldManager: 'kubectl-create' },
          body,
          signal,
        })
      ).body as JsonObject;
    },
    async delete(path) {
      await client.request({ method: 'DELETE', path, signal });
    },
    close: () => client.close(),
  };
}

/** Waits until a check gives a value; fails with the last answer. Looks 20 times a second, for at most half a minute or as told. */
export async function eventually<T>(
  look: () => Promise<T | undefined> | T | undefined,
  what: string,
  withinMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`did not happen within ${withinMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The part of a report that is about one cluster. */
export function onlyCluster(report: ChangeReport, name: string): ChangeReport {
  return { ...report, clusters: report.clusters.filter((cluster) => cluster.name === name) };
}
