import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlPlaneBinaries } from '../../src/local/control-plane/component-name.ts';
import { findBinaries } from '../../src/local/control-plane/find-binaries.ts';
import { startSimulatedNode } from '../../src/local/control-plane/simulated-node.ts';
import { type ControlPlane, startControlPlane } from '../../src/local/control-plane/start-control-plane.ts';

/** A running control plane in a folder of its own, which `stop` removes. */
export interface TestControlPlane {
  readonly controlPlane: ControlPlane;
  readonly dir: string;
  readonly stop: () => Promise<void>;
}

/** Long enough for a build on a slow machine. */
const findDeadlineMs = 60 * 60_000;

let binaries: Promise<ControlPlaneBinaries> | undefined;
const shared = new Map<number, Promise<TestControlPlane>>();

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
  const dir = await mkdtemp(join(tmpdir(), `fleetwright-${name}-`));
  const controlPlane = await startControlPlane({ binaries: await controlPlaneBinaries(), dir, name });
  const simulatedNode = node ? await startSimulatedNode(controlPlane) : undefined;
  return {
    controlPlane,
    dir,
    stop: async () => {
      await simulatedNode?.stop();
      await controlPlane.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Stops every shared control plane. */
export async function stopSharedControlPlanes(): Promise<void> {
  const started = await Promise.allSettled(shared.values());
  shared.clear();
  await Promise.all(started.map(async (result) => result.status === 'fulfilled' && result.value.stop()));
}

/** A name that no other test uses, fit for a namespace: 'prune-4f1c9a2b'. */
export function uniqueNamespace(prefix = 'test'): string {
  return `${prefix}-${randomBytes(4).toString('hex')}`;
}
