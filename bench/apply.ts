import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pLimit from 'p-limit';

import { applyConcurrency } from '../src/apply/apply-plan.ts';
import { runOnce } from '../src/engine/run-once.ts';
import { openWorkingCopy } from '../src/git/working-copy.ts';
import { systemClock } from '../src/kube/clock.ts';
import { connectCluster } from '../src/kube/connect.ts';
import type { ResourceInfo } from '../src/kube/discovery.ts';
import { applyObject } from '../src/kube/objects.ts';
import { findBinaries } from '../src/local/control-plane/find-binaries.ts';
import { type ControlPlane, startControlPlane } from '../src/local/control-plane/start-control-plane.ts';
import type { JsonObject } from '../src/model/json.ts';
import { type Cluster, defaultPruneLimit, type FleetSettings } from '../src/model/settings.ts';
import { openStateStore } from '../src/store/state-store.ts';
import { median, table } from './figures.ts';
import { configMaps, namespaceObject, writeFleet } from './workload.ts';

const namespaces: ResourceInfo = {
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  verbs: [],
};
const configMapsResource: ResourceInfo = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs: [],
};
const never = new AbortController().signal;

interface Bench {
  readonly controlPlane: ControlPlane;
  readonly cluster: Cluster;
  readonly dir: string;
}

/**
 * The first sync of ConfigMaps to one cluster, beside a bare loop that PATCHes the same bodies through the same client
 * with the same concurrency, and beside kubectl apply --server-side. All in turn on one API server, each round in
 * namespaces of its own; what counts are the ratios. kubectl goes without validation, which favours it: some versions
 * check each object against the OpenAPI document and take many times as long.
 */
export async function applyBench(args: readonly string[]): Promise<void> {
  const counts = args.length > 0 ? args.map(Number) : [2_000, 10_000];
  const dir = await mkdtemp(join(tmpdir(), 'fleetwright-bench-'));
  const binaries = await findBinaries({
    env: process.env,
    onProgress: (line) => {
      console.error(line);
    },
    signal: never,
  });
  const controlPlane = await startControlPlane({
    binaries,
    dir: join(dir, 'control-plane'),
    name: 'bench',
    auditLog: false,
  });
  const cluster: Cluster = {
    name: 'bench',
    labels: {},
    annotations: {},
    connection: { kind: 'kubeconfig', path: controlPlane.kubeconfigPath },
  };
  try {
    for (const count of counts) await compare(count, { controlPlane, cluster, dir });
  } finally {
    await controlPlane.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function compare(count: number, bench: Bench): Promise<void> {
  const rounds = count > 5_000 ? 3 : 5;
  const seconds = { fleetwright: [] as number[], loop: [] as number[], kubectl: [] as number[] };
  // The first round warms the API server and this process, and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const size = round === 0 ? 500 : count;
    const ours = await fleetwrightSync(size, bench, `f${count}-${round}`);
    const loop = await bareLoop(size, bench, `l${count}-${round}`);
    const kubectl = await kubectlApply(size, bench, `k${count}-${round}`);
    if (round === 0) continue;
    seconds.fleetwright.push(ours);
    seconds.loop.push(loop);
    seconds.kubectl.push(kubectl);
  }
  const ratio = (other: readonly number[]): string =>
    median(other.map((value, index) => value / (seconds.fleetwright[index] ?? 0))).toFixed(2);
  console.log(`\nFirst sync of ${count} ConfigMaps, ${rounds} rounds, medians`);
  console.log(
    table([
      ['', 'seconds', 'objects/s', 'rate of Fleetwright to it'],
      ...Object.entries(seconds).map(([name, values]) => [
        name,
        median(values).toFixed(2),
        (count / median(values)).toFixed(0),
        name === 'fleetwright' ? '' : ratio(values),
      ]),
    ]),
  );
}

/** From the files to the last answer: reading, rendering, planning and applying. */
async function fleetwrightSync(count: number, { cluster, dir }: Bench, id: string): Promise<number> {
  const fleetDir = join(dir, id);
  await writeFleet(fleetDir, [namespaceObject(id), ...configMaps(count, id)]);
  const settings: FleetSettings = {
    name: id,
    source: { url: fleetDir, ref: 'main', path: '', intervalMs: 30_000 },
    clusters: [],
    inlineClusters: [cluster],
    sync: { drift: 'correct', prune: true, pruneLimit: defaultPruneLimit },
    labelGraceMs: 0,
    server: { host: '127.0.0.1', port: 0 },
    stateDir: join(fleetDir, '.state'),
    tools: {},
  };
  const store = openStateStore(settings.stateDir);
  const source = openWorkingCopy(fleetDir);
  const options = {
    settings,
    source,
    store,
    clock: systemClock,
    random: Math.random,
    signal: never,
    onProgress: () => undefined,
    mode: 'sync' as const,
    clusters: [],
    generators: [],
  };
  try {
    return await timed(async () => {
      const { changes } = await runOnce(options);
      const created = changes.clusters
        .flatMap((report) => report.changes)
        .filter((change) => change.action === 'create').length;
      if (created !== count + 1) throw new Error(`created ${created} of ${count + 1} objects`);
    });
  } finally {
    await source.close();
    store.close();
  }
}

async function bareLoop(count: number, { cluster }: Bench, namespace: string): Promise<number> {
  const client = await connectCluster(cluster);
  const put = (resource: ResourceInfo, object: JsonObject): Promise<unknown> =>
    applyObject(client, resource, object, { force: false, dryRun: false, signal: never });
  try {
    const objects = configMaps(count, namespace);
    await put(namespaces, namespaceObject(namespace));
    return await timed(() => inParallel(objects, put));
  } finally {
    await client.close();
  }
}

async function inParallel(
  objects: readonly JsonObject[],
  put: (resource: ResourceInfo, object: JsonObject) => Promise<unknown>,
): Promise<void> {
  const limit = pLimit(applyConcurrency);
  await Promise.all(objects.map((object) => limit(() => put(configMapsResource, object))));
}

async function kubectlApply(count: number, { controlPlane, dir }: Bench, namespace: string): Promise<number> {
  const folder = join(dir, namespace);
  await writeFleet(folder, configMaps(count, namespace));
  await kubectl(controlPlane, ['create', 'namespace', namespace]);
  return timed(() =>
    kubectl(controlPlane, ['apply', '--server-side', '--validate=false', '-f', join(folder, 'apps', 'bulk')]),
  );
}

function kubectl({ kubeconfigPath }: ControlPlane, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('kubectl', ['--kubeconfig', kubeconfigPath, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (status) => {
      if (status === 0) resolve();
      else reject(new Error(`kubectl ${args[0] ?? ''} ended with ${String(status)}`));
    });
  });
}

/** Seconds of wall time. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
