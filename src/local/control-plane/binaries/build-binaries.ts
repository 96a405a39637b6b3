import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FleetError } from '../../../model/fleet-error.ts';
import type { Command, ControlPlaneBinaries, OnProgress } from '../component-name.ts';
import { spawnTethered } from '../tethered-process.ts';
import { withFileLock } from './file-lock.ts';
import { type Environment, isExecutable } from './installed-binaries.ts';
import type { ModuleVersions } from './module-versions.ts';

export interface BuildOptions {
  /** Of the Go module control-plane/. */
  readonly moduleDir: string;
  readonly versions: ModuleVersions;
  readonly cacheDir: string;
  readonly env: Environment;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
  /** `go` from PATH unless given. */
  readonly go?: Command;
}

const buildDeadlineMs = 45 * 60_000;
const reportEveryMs = 15_000;

/** The result of an earlier build of the same sources, or undefined. */
export async function findBuiltBinaries(cacheDir: string, versions: ModuleVersions): Promise<ControlPlaneBinaries | undefined> {
  const path = builtPath(cacheDir, versions);
  return (await isExecutable(path)) ? builtBinaries(path) : undefined;
}

/**
 * Builds the module once for this machine and user. When two do it at once, the second waits for the first.
 * @throws FleetError DependencyFailed with the end of the compiler's output, or when there is no `go`.
 */
export async function buildBinaries(options: BuildOptions): Promise<ControlPlaneBinaries> {
  const { cacheDir, versions, onProgress, signal } = options;
  const started = performance.now();
  const report = setInterval(() => {
    onProgress(`Still at work on Kubernetes ${versions.kubernetes} after ${formatSeconds(performance.now() - started)}`);
  }, reportEveryMs);
  const onWait = (): void => {
    onProgress(`Another process is building Kubernetes ${versions.kubernetes}; waiting for it`);
  };
  try {
    return await withFileLock(join(buildDir(cacheDir, versions), 'lock'), { signal, onWait }, async () => {
      const built = await findBuiltBinaries(cacheDir, versions);
      if (built !== undefined) return built;
      onProgress(`Building etcd and Kubernetes ${versions.kubernetes} with go: once, usually about 4 minutes on 2 cores`);
      await build(options);
      onProgress(`Built Kubernetes ${versions.kubernetes} in ${formatSeconds(performance.now() - started)}`);
      return builtBinaries(builtPath(cacheDir, versions));
    });
  } finally {
    clearInterval(report);
  }
}

/** Builds aside and renames: the final path never holds half a program, whatever interrupts. Needs the lock. */
async function build(options: BuildOptions): Promise<void> {
  const aside = join(buildDir(options.cacheDir, options.versions), 'partial');
  // What is there is of a build that was killed: the lock is ours.
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true });
  try {
    await runGo(options, join(aside, 'control-plane'), join(aside, 'go.log'));
    await rename(join(aside, 'control-plane'), builtPath(options.cacheDir, options.versions));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function runGo(options: BuildOptions, output: string, logPath: string): Promise<void> {
  const go = options.go ?? { path: 'go', args: [] };
  const command = { path: go.path, args: [...go.args, 'build', '-buildvcs=false', '-ldflags', linkerFlags(options.versions), '-o', output, '.'] };
  const child = await spawnTethered(command, { cwd: options.moduleDir, logPath, env: options.env });
  const bounded = AbortSignal.any([options.signal, AbortSignal.timeout(buildDeadlineMs)]);
  // go removes its own leftovers when it is interrupted.
  const interrupt = (): void => {
    child.send('SIGINT');
  };
  bounded.addEventListener('abort', interrupt, { once: true });
  const { code } = await child.exited;
  bounded.removeEventListener('abort', interrupt);
  options.signal.throwIfAborted();
  if (bounded.aborted) throw new FleetError('DeadlineExceeded', `go build took longer than ${formatSeconds(buildDeadlineMs)}`);
  if (code === 0) return;
  const log = (await readFile(logPath, 'utf8')).trimEnd().split('\n').slice(-12).join('\n');
  throw new FleetError('DependencyFailed', `go build failed:\n${log}`, { retry: 'never' });
}

/** Without these the API server says that it is version 0.0.0. */
function linkerFlags({ kubernetes }: ModuleVersions): string {
  const [major = '', minor = ''] = kubernetes.slice(1).split('.');
  const set = (name: string, value: string): string => `-X k8s.io/component-base/version.${name}=${value}`;
  return `-s -w ${set('gitVersion', kubernetes)} ${set('gitMajor', major)} ${set('gitMinor', minor)}`;
}

function buildDir(cacheDir: string, versions: ModuleVersions): string {
  return join(cacheDir, versions.buildId);
}

function builtPath(cacheDir: string, versions: ModuleVersions): string {
  return join(buildDir(cacheDir, versions), 'control-plane');
}

function builtBinaries(path: string): ControlPlaneBinaries {
  const command = (name: string): Command => ({ path, args: [name] });
  return {
    source: 'built',
    commands: {
      etcd: command('etcd'),
      'kube-apiserver': command('kube-apiserver'),
      'kube-controller-manager': command('kube-controller-manager'),
    },
  };
}

/** '75 s', '4 min 7 s'. */
function formatSeconds(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
