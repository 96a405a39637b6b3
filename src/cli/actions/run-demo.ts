import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parseFleetSettings } from '../../config/fleet-settings.ts';
import { viewStatus } from '../../engine/fleet-view.ts';
import { type GitServer, startGitServer } from '../../local/git-server.ts';
import { runGit } from '../../local/git-server-run.ts';
import { seedRepository } from '../../local/git-server-seed.ts';
import { FleetError } from '../../model/fleet-error.ts';
import type { ChangeReport } from '../../model/report.ts';
import type { FleetSettings } from '../../model/settings.ts';
import { renderStatus } from '../../report/fleet-status.ts';
import { usesColor } from '../environment.ts';
import type { ActionContext, DemoRequest } from '../actions.ts';
import { demoClusters } from './demo-clusters.ts';
import { demoClusterFile, demoSettings } from './demo-files.ts';
import { choosePort } from './choose-port.ts';
import { demoGuide } from './demo-guide.ts';
import { lookOnce } from './look-once.ts';
import { aborted, startFleet } from './run-engine.ts';
import { type RunningClusters, startDemoClusters } from './start-demo-clusters.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));
const firstConvergenceMs = 120_000;

/**
 * Real clusters, a real Git server with the example fleet, and the engine on top, in a folder that is removed at the
 * end. Whatever was started is stopped, however the start goes.
 */
export async function runDemo(
  request: DemoRequest,
  context: ActionContext,
): Promise<ChangeReport | undefined> {
  // Asked first: nobody wants to wait for clusters to be told that the page has no place.
  const port = request.once ? 0 : await choosePort(request.port);
  const dir = await mkdtemp(join(tmpdir(), 'fleetwright-demo-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const clusters = await startDemoClusters(demoClusters(request.clusters), { dir, context });
  cleanup.defer(() => clusters.stop());
  const git = await startDemoRepository(dir, context);
  cleanup.defer(() => git.close());
  const settings = await writeDemoFiles({ dir, git, clusters, port });
  context.signal.throwIfAborted();
  if (request.once) {
    const scope = { clusters: [], generators: [] };
    return (await lookOnce({ settings, scope }, { mode: 'sync', revision: { kind: 'settings' } }, context))
      .changes;
  }
  await stayUp({ dir, settings, clusters, context });
  return undefined;
}

async function startDemoRepository(
  dir: string,
  { onProgress, environment }: ActionContext,
): Promise<GitServer> {
  onProgress({ kind: 'step', text: 'starting a Git server with the example fleet' });
  const server = await startGitServer({ root: join(dir, 'git'), environment: environment.env });
  try {
    const repository = await server.createRepository('fleet');
    const folder = join(packageRoot, 'fleet-repo-example');
    await seedRepository({ repository, folder, message: 'The fleet of acme', environment: environment.env });
    const clone = join(dir, 'fleet');
    await runGit(['clone', '--quiet', server.url('fleet'), clone], environment.env);
    // A fresh machine has no identity to commit with.
    await runGit(['-C', clone, 'config', 'user.name', 'You'], environment.env);
    await runGit(['-C', clone, 'config', 'user.email', 'you@example.com'], environment.env);
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

interface DemoFiles {
  readonly dir: string;
  readonly git: GitServer;
  readonly clusters: RunningClusters;
  readonly port: number;
}

async function writeDemoFiles({ dir, git, clusters, port }: DemoFiles): Promise<FleetSettings> {
  await mkdir(join(dir, 'clusters.d'));
  for (const member of clusters.members) {
    await writeFile(join(dir, 'clusters.d', `${member.cluster.name}.yaml`), demoClusterFile(member));
  }
  const file = join(dir, 'fleetwright.yaml');
  const text = demoSettings({ repositoryUrl: git.url('fleet'), port });
  await writeFile(file, text);
  const parsed = parseFleetSettings(text, { file, baseDir: dir, homeDir: dir });
  if (!parsed.ok) throw parsed.faults[0] ?? new FleetError('Internal', 'the demo settings are not valid');
  return parsed.value;
}

interface Demo {
  readonly dir: string;
  readonly settings: FleetSettings;
  readonly clusters: RunningClusters;
  readonly context: ActionContext;
}

async function stayUp({ dir, settings, clusters, context }: Demo): Promise<void> {
  const { signal, environment } = context;
  const fleet = await startFleet({ settings, settingsPath: join(dir, 'fleetwright.yaml') }, context);
  try {
    await fleet.engine.whenSettled(AbortSignal.any([signal, AbortSignal.timeout(firstConvergenceMs)]));
    const status = viewStatus(fleet.engine.view(), fleet.store);
    const color = usesColor(environment, environment.stdout, true);
    context.print(renderStatus(status, { color, width: environment.stdout.columns ?? 120 }));
    context.print(
      demoGuide({
        pageUrl: fleet.url,
        cloneDir: join(dir, 'fleet'),
        clustersDir: join(dir, 'clusters.d'),
        kubeconfigPath: clusters.kubeconfigPath,
        settingsPath: join(dir, 'fleetwright.yaml'),
        program: programName(),
        labelled: clusters.members.at(-1)?.cluster.name ?? '',
      }),
    );
    await aborted(signal);
  } finally {
    await fleet.stop();
  }
}

/** From a checkout the script beside package.json, from wherever it is called; an installed one is on the PATH. */
function programName(): string {
  const script = join(packageRoot, 'bin', 'fleetwright');
  return existsSync(script) ? script : 'fleetwright';
}
