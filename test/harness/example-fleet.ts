import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ControlPlane } from '../../src/local/control-plane/start-control-plane.ts';
import { type TestControlPlane, startOwnControlPlane } from './control-plane.ts';
import { type TestFleet, startTestFleet } from './fleet.ts';
import type { Files } from './git.ts';

const root = fileURLToPath(new URL('../../fleet-repo-example', import.meta.url));

/** The clusters that the example fleet is written for, with the labels of their registry. */
export const exampleClusters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'shanghai-prod': { env: 'production', region: 'cn-east' },
  'beijing-staging': { env: 'staging', region: 'cn-north' },
  'hangzhou-edge': { env: 'edge', region: 'cn-east' },
};

/** A cluster of the example with a control plane to itself, in which Fleetwright is a user of its own. */
export interface ExampleCluster {
  readonly name: string;
  readonly controlPlane: ControlPlane;
}

export interface ExampleFleet {
  readonly fleet: TestFleet;
  readonly clusters: readonly ExampleCluster[];
  close(): Promise<void>;
}

/** How Fleetwright is known to the audit logs of these clusters. */
export const exampleUser = 'fleetwright';

/** The example fleet as a test fleet, on control planes that nobody else uses. */
export async function startExampleFleet(names: readonly string[]): Promise<ExampleFleet> {
  const started: (ExampleCluster & TestControlPlane & { readonly kubeconfigPath: string })[] = [];
  for (const name of names) {
    const own = await startOwnControlPlane(name);
    const kubeconfigPath = await own.controlPlane.issueClient(exampleUser, ['system:masters'], 3_600_000);
    started.push({ ...own, name, kubeconfigPath });
  }
  const files = await readExample();
  const fleet = await startTestFleet({
    clusters: started.map(({ name, kubeconfigPath }) => ({
      name,
      controlPlane: { kubeconfigPath },
      labels: exampleClusters[name] ?? {},
    })),
    files: () => files,
  });
  return {
    fleet,
    clusters: started,
    async close() {
      await fleet.close();
      await Promise.all(started.map(({ stop }) => stop()));
    },
  };
}

async function readExample(): Promise<Files> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (path) => [path.slice(root.length + 1), await readFile(path)] as const),
    ),
  );
}
