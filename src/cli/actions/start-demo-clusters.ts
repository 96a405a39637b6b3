import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { clustersOfKubeconfig } from '../../clusters/kubeconfig-clusters.ts';
import { findBinaries } from '../../local/control-plane/find-binaries.ts';
import { startSimulatedNode } from '../../local/control-plane/simulated-node.ts';
import { startControlPlane } from '../../local/control-plane/start-control-plane.ts';
import { FleetError } from '../../model/fleet-error.ts';
import type { ActionContext } from '../actions.ts';
import type { DemoCluster } from './demo-clusters.ts';
import { mergeKubeconfigs } from './merge-kubeconfigs.ts';

export interface RunningClusters {
  readonly members: readonly {
    readonly cluster: DemoCluster;
    readonly kubeconfig: { readonly path: string; readonly context: string };
    /** Where its API server writes what it is asked, for a cluster that was started here. */
    readonly auditLogPath?: string;
  }[];
  /** One kubeconfig with a context for each cluster, named after it. */
  readonly kubeconfigPath: string;
  stop(): Promise<void>;
}

interface StartOptions {
  readonly dir: string;
  readonly context: ActionContext;
}

/** Clusters of the user's own, instead of ones that are started here: each context of this file is one. */
const ownKubeconfigVariable = 'FLEETWRIGHT_DEMO_KUBECONFIG';

/** Starts a real control plane for each cluster, all at once, or takes those of a kubeconfig that the user gives. */
export async function startDemoClusters(
  clusters: readonly DemoCluster[],
  options: StartOptions,
): Promise<RunningClusters> {
  const own = options.context.environment.env[ownKubeconfigVariable];
  return own === undefined || own === ''
    ? startAll(clusters, options)
    : useOwn(clusters, resolve(options.context.environment.cwd, own));
}

async function startAll(
  clusters: readonly DemoCluster[],
  { dir, context }: StartOptions,
): Promise<RunningClusters> {
  const { onProgress, signal, environment } = context;
  const onLine = (text: string): void => {
    onProgress({ kind: 'step', text });
  };
  const binaries = await findBinaries({
    env: environment.env,
    signal,
    // A build takes minutes: say so even where no progress is drawn.
    onProgress: (text) => {
      context.log.info(text);
      onLine(text);
    },
  });
  onLine(`starting ${clusters.length} control planes`);
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map((end) => end()));
  };
  const started = await Promise.allSettled(
    clusters.map(async (cluster) => {
      const controlPlane = await startControlPlane({
        binaries,
        dir: join(dir, 'control-planes', cluster.name),
        name: cluster.name,
        signal,
      });
      stops.push(() => controlPlane.stop());
      const node = await startSimulatedNode(controlPlane);
      stops.push(() => node.stop());
      onLine(`${cluster.name} is up`);
      const { kubeconfigPath, auditLogPath } = controlPlane;
      const kubeconfig = { path: kubeconfigPath, context: cluster.name };
      return { cluster, kubeconfig, ...(auditLogPath === undefined ? {} : { auditLogPath }) };
    }),
  );
  const failed = started.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  const members = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const kubeconfigPath = join(dir, 'kubeconfig');
  const texts = await Promise.all(members.map(({ kubeconfig }) => readFile(kubeconfig.path, 'utf8')));
  await writeFile(kubeconfigPath, mergeKubeconfigs(texts), { mode: 0o600 });
  return { members, kubeconfigPath, stop };
}

async function useOwn(clusters: readonly DemoCluster[], path: string): Promise<RunningClusters> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new FleetError('ConfigInvalid', `${ownKubeconfigVariable} names ${path}, which cannot be read`, {
      cause,
    });
  }
  const { registrations, faults } = clustersOfKubeconfig(text, { kind: 'kubeconfig', path });
  if (faults[0] !== undefined) throw faults[0];
  if (registrations.length < clusters.length) {
    throw new FleetError(
      'ConfigInvalid',
      `${path} has ${registrations.length} contexts; the demo wants ${clusters.length}, or fewer with --clusters`,
    );
  }
  const members = clusters.map((cluster, index) => {
    const connection = registrations[index]?.cluster.connection;
    return { cluster, kubeconfig: { path, context: connection?.context ?? '' } };
  });
  return { members, kubeconfigPath: path, stop: () => Promise.resolve() };
}
