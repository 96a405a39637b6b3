import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FleetError, toFleetError } from '../../model/fleet-error.ts';
import { buildBinaries, findBuiltBinaries } from './binaries/build-binaries.ts';
import { downloadBinaries, type DownloadSites, findDownloadedBinaries, officialSites } from './binaries/download-binaries.ts';
import { type Environment, findInstalledBinaries } from './binaries/installed-binaries.ts';
import { type ModuleVersions, readModuleVersions } from './binaries/module-versions.ts';
import type { DownloadLimits } from './binaries/verified-download.ts';
import type { Command, ControlPlaneBinaries, OnProgress } from './component-name.ts';

export interface FindOptions {
  /** Read: KUBEBUILDER_ASSETS, PATH, FLEETWRIGHT_CONTROL_PLANE, XDG_CACHE_HOME; go gets it whole. */
  readonly env: Environment;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
  /** $XDG_CACHE_HOME/fleetwright/control-plane or ~/.cache/fleetwright/control-plane unless given. */
  readonly cacheDir?: string;
  /** The package's own control-plane/ unless given. */
  readonly moduleDir?: string;
  readonly sites?: DownloadSites;
  readonly downloadLimits?: DownloadLimits;
  /** `go` from PATH unless given. */
  readonly go?: Command;
}

/** A way to come by the programs. `find` gives undefined, or throws, when it has none. */
interface Provider {
  readonly name: 'path' | 'download' | 'build';
  readonly title: string;
  readonly find: () => Promise<ControlPlaneBinaries | undefined>;
}

/** As deep below the package's root in dist/ as in src/. */
const packagedModuleDir = fileURLToPath(new URL('../../../control-plane', import.meta.url));

/**
 * The programs of a control plane: installed ones, else those that an earlier run left in the cache, else the
 * official ones, else a build with go. FLEETWRIGHT_CONTROL_PLANE=path|download|build allows one way alone.
 * @throws FleetError DependencyFailed that tells what was tried and what would help; ConfigInvalid for another value
 * of that variable.
 */
export async function findBinaries(options: FindOptions): Promise<ControlPlaneBinaries> {
  const cacheDir = options.cacheDir ?? defaultCacheDir(options.env);
  const moduleDir = options.moduleDir ?? packagedModuleDir;
  const context = { ...options, cacheDir, moduleDir, versions: await readModuleVersions(moduleDir) };
  const failures: string[] = [];
  for (const provider of chosenProviders(context)) {
    try {
      const found = await provider.find();
      if (found !== undefined) return found;
    } catch (error) {
      options.signal.throwIfAborted();
      failures.push(`${provider.title}: ${toFleetError(error).message}`);
    }
  }
  throw new FleetError('DependencyFailed', nothingFound(context.versions, failures), { retry: 'never' });
}

type Context = FindOptions & { readonly cacheDir: string; readonly moduleDir: string; readonly versions: ModuleVersions };

function chosenProviders(context: Context): readonly Provider[] {
  const forced = context.env['FLEETWRIGHT_CONTROL_PLANE'] ?? '';
  const { cacheDir, versions } = context;
  const sites = context.sites ?? officialSites;
  const limits = context.downloadLimits === undefined ? {} : { limits: context.downloadLimits };
  const all: readonly Provider[] = [
    { name: 'path', title: 'installed programs', find: () => findInstalledBinaries(context.env) },
    { name: 'download', title: 'earlier download', find: () => findDownloadedBinaries(cacheDir, versions) },
    { name: 'build', title: 'earlier build', find: () => findBuiltBinaries(cacheDir, versions) },
    {
      name: 'download',
      title: 'download',
      find: () => downloadBinaries({ ...context, sites, ...limits, insist: forced === 'download' }),
    },
    { name: 'build', title: 'build', find: () => buildBinaries(context) },
  ];
  if (forced === '') return all;
  const chosen = all.filter((provider) => provider.name === forced);
  if (chosen.length > 0) return chosen;
  throw new FleetError('ConfigInvalid', `FLEETWRIGHT_CONTROL_PLANE is '${forced}'; it can be path, download or build`);
}

function nothingFound(versions: ModuleVersions, failures: readonly string[]): string {
  return [
    `no Kubernetes control plane can be started here.`,
    ...failures.map((failure) => `  tried ${failure}`),
    'One of these is needed:',
    '  1. a cluster of your own: name its kubeconfig',
    '  2. etcd, kube-apiserver and kube-controller-manager in $KUBEBUILDER_ASSETS or on $PATH',
    `  3. a way to dl.k8s.io and github.com, to download Kubernetes ${versions.kubernetes} (Linux only)`,
    '  4. Go 1.26 or newer on $PATH, to build it (about 4 minutes, once)',
  ].join('\n');
}

function defaultCacheDir(env: Environment): string {
  const base = env['XDG_CACHE_HOME'] ?? '';
  return join(base === '' ? join(homedir(), '.cache') : base, 'fleetwright', 'control-plane');
}
