import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { ControlPlaneBinaries } from '../../src/local/control-plane/component-name.ts';
import { findBinaries } from '../../src/local/control-plane/find-binaries.ts';
import { startSimulatedNode } from '../../src/local/control-plane/simulated-node.ts';
import { type ControlPlane, startControlPlane } from '../../src/local/control-plane/start-control-plane.ts';

/** A running control plane in a folder of its own, which `stop` removes. */
export interface TestControlPlane {
  readonly controlPlane: ControlPlane;
  readonly dir: string;
  readonly stop: () => Promise<void>;
}

/** Of this user alone: a folder for each run, named after its process. */
const runsDir = join(tmpdir(), `fleetwright-cluster-tests-${userInfo().uid}`);

/** Long enough for a build on a slow machine. */
const findDeadlineMs = 60 * 60_000;

let binaries: Promise<ControlPlaneBinaries> | undefined;
const shared = new Map<number, Promise<TestControlPlane>>();
const running = new Set<TestControlPlane>();

/** The programs of a control plane, looked for once a run. */
export function controlPlaneBinaries(): Promise<ControlPlaneBinaries> {
  binaries ??= findBinaries({
    env: process.env,
    onProgress: (line) => {
      console.error(line);
    },
    signal: AbortSignal.timeout(findDeadlineMs),
  });
  return binaries;
}

/**
 * Control plane number n of this run: started when first asked for, used by all test files, stopped at the end.
 * Tests that share it work in namespaces of their own; a test that stops or breaks one starts its own.
 */
export async function sharedControlPlane(n = 0): Promise<ControlPlane> {
  let found = shared.get(n);
  if (found === undefined) {
    found = startOwnControlPlane(`cluster-${n}`);
    shared.set(n, found);
  }
  return (await found).controlPlane;
}

/** A control plane for one test alone, with a simulated node unless told otherwise. */
export async function startOwnControlPlane(name: string, { node = true } = {}): Promise<TestControlPlane> {
  await mkdir(runDir(process.pid), { recursive: true });
  const dir = await mkdtemp(join(runDir(process.pid), `${name}-`));
  const controlPlane = await startControlPlane({ binaries: await controlPlaneBinaries(), dir, name });
  const simulatedNode = node ? await startSimulatedNode(controlPlane) : undefined;
  const started: TestControlPlane = {
    controlPlane,
    dir,
    stop: async () => {
      running.delete(started);
      await simulatedNode?.stop();
      await controlPlane.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
  running.add(started);
  return started;
}

/** Stops the shared control planes, and those that a failed test left: they would keep the run from ending. */
export async function stopControlPlanes(): Promise<void> {
  await Promise.allSettled(shared.values());
  shared.clear();
  await Promise.all([...running].map((started) => started.stop()));
}

/** Removes what runs that were killed could not remove themselves: about 130 MB a control plane. */
export async function removeAbandonedRuns(): Promise<void> {
  const runs = await readdir(runsDir).catch(() => []);
  const abandoned = runs.filter((pid) => !isAlive(Number(pid)));
  await Promise.all(abandoned.map((pid) => rm(join(runsDir, pid), { recursive: true, force: true })));
}

/** Removes this run's folder; to be called when all its control planes are stopped. */
export async function removeRun(): Promise<void> {
  await rm(runDir(process.pid), { recursive: true, force: true });
}

function runDir(pid: number): string {
  return join(runsDir, String(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A name that no other test uses, fit for a namespace: 'prune-4f1c9a2b'. */
export function uniqueNamespace(prefix = 'test'): string {
  return `${prefix}-${randomBytes(4).toString('hex')}`;
}
