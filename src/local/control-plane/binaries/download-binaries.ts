import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { FleetError } from '../../../model/fleet-error.ts';
import type { ControlPlaneBinaries, OnProgress } from '../component-name.ts';
import { spawnTethered } from '../tethered-process.ts';
import { withFileLock } from './file-lock.ts';
import { commandsIn } from './installed-binaries.ts';
import type { ModuleVersions } from './module-versions.ts';
import { createDownloader, type Downloader, type DownloadLimits } from './verified-download.ts';

/** Where official binaries are published; a mirror has the same paths. */
export interface DownloadSites {
  /** Has release/VERSION/bin/linux/ARCH/PROGRAM, and the same with .sha256. */
  readonly kubernetes: string;
  /** Has etcd-io/etcd/releases/download/VERSION/etcd-VERSION-linux-ARCH.tar.gz, and SHA256SUMS beside it. */
  readonly etcd: string;
}

export const officialSites: DownloadSites = { kubernetes: 'https://dl.k8s.io', etcd: 'https://github.com' };

export interface DownloadOptions {
  readonly versions: ModuleVersions;
  readonly cacheDir: string;
  readonly sites: DownloadSites;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
  readonly limits?: DownloadLimits;
  /** Tries although an attempt failed within the last hour. */
  readonly insist?: boolean;
}

const retryAfterMs = 3_600_000;

/** What an earlier download left, or undefined. */
export async function findDownloadedBinaries(
  cacheDir: string,
  versions: ModuleVersions,
): Promise<ControlPlaneBinaries | undefined> {
  const commands = await commandsIn([downloadDir(cacheDir, versions)]);
  return commands === undefined ? undefined : { source: 'downloaded', commands };
}

/**
 * Downloads the official programs and checks each against its published checksum. Where the sites cannot be reached
 * that is known within seconds, and remembered for an hour.
 * @throws FleetError DependencyFailed or DeadlineExceeded with the reason.
 */
export async function downloadBinaries(options: DownloadOptions): Promise<ControlPlaneBinaries> {
  const { cacheDir, versions, signal, onProgress } = options;
  const failedPath = join(cacheDir, 'download-failed');
  if (options.insist !== true && (await isRecent(failedPath))) {
    throw new FleetError('DependencyFailed', `failed less than an hour ago; remove ${failedPath} to try again at once`);
  }
  const onWait = (): void => {
    onProgress(`Another process is downloading Kubernetes ${versions.kubernetes}; waiting for it`);
  };
  const lockPath = join(cacheDir, `download-${versions.kubernetes}.lock`);
  return withFileLock(lockPath, { signal, onWait }, async () => {
    const found = await findDownloadedBinaries(cacheDir, versions);
    if (found !== undefined) return found;
    const downloader = createDownloader(options.limits);
    try {
      return await downloadAll(options, downloader);
    } catch (error) {
      if (!signal.aborted) await writeFile(failedPath, '');
      throw error;
    } finally {
      await downloader.close();
    }
  });
}

/** Downloads aside and renames: the final folder holds all programs or does not exist. Needs the lock. */
async function downloadAll(options: DownloadOptions, downloader: Downloader): Promise<ControlPlaneBinaries> {
  const { cacheDir, versions, onProgress } = options;
  const official = officialArch();
  const target = downloadDir(cacheDir, versions);
  const aside = `${target}.partial`;
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true });
  try {
    onProgress(`Looking for the official Kubernetes ${versions.kubernetes} at ${options.sites.kubernetes}`);
    for (const program of ['kube-apiserver', 'kube-controller-manager']) {
      await downloadKubernetes(options, downloader, { program, arch: official, aside });
    }
    await downloadEtcd(options, downloader, { arch: official, aside });
    await rm(target, { recursive: true, force: true });
    await rename(aside, target);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  const found = await findDownloadedBinaries(cacheDir, versions);
  if (found === undefined) throw new FleetError('DependencyFailed', 'the official archive lacks a program');
  return found;
}

async function downloadKubernetes(
  { sites, versions, signal, onProgress }: DownloadOptions,
  downloader: Downloader,
  what: { readonly program: string; readonly arch: string; readonly aside: string },
): Promise<void> {
  const url = `${sites.kubernetes}/release/${versions.kubernetes}/bin/linux/${what.arch}/${what.program}`;
  const sha256 = (await downloader.text(`${url}.sha256`, signal)).trim();
  onProgress(`Downloading ${url}`);
  await downloader.file(url, { path: join(what.aside, what.program), sha256 }, signal);
}

async function downloadEtcd(
  { sites, versions, signal, onProgress }: DownloadOptions,
  downloader: Downloader,
  what: { readonly arch: string; readonly aside: string },
): Promise<void> {
  const name = `etcd-${versions.etcd}-linux-${what.arch}`;
  const folder = `${sites.etcd}/etcd-io/etcd/releases/download/${versions.etcd}`;
  const sums = await downloader.text(`${folder}/SHA256SUMS`, signal);
  const sha256 = sums.split('\n').find((line) => line.endsWith(` ${name}.tar.gz`))?.split(' ')[0];
  if (sha256 === undefined) throw new FleetError('DependencyFailed', `${folder}/SHA256SUMS does not list ${name}.tar.gz`);
  onProgress(`Downloading ${folder}/${name}.tar.gz`);
  const archive = join(what.aside, 'etcd.tar.gz');
  await downloader.file(`${folder}/${name}.tar.gz`, { path: archive, sha256 }, signal);
  await unpack(archive, `${name}/etcd`, what.aside);
  await rm(archive);
}

/** Takes one file out of an archive, without the folder that it is in. */
async function unpack(archive: string, member: string, dir: string): Promise<void> {
  const command = { path: 'tar', args: ['-xzf', archive, '--strip-components=1', member] };
  const child = await spawnTethered(command, { cwd: dir, logPath: `${archive}.log` });
  const { code } = await child.exited;
  if (code !== 0) throw new FleetError('DependencyFailed', `${archive} cannot be unpacked`);
  await rm(`${archive}.log`, { force: true });
}

function officialArch(): string {
  const name = { x64: 'amd64', arm64: 'arm64' }[arch() as 'x64' | 'arm64'] as string | undefined;
  if (platform() === 'linux' && name !== undefined) return name;
  throw new FleetError('DependencyFailed', `there are no official server programs for ${platform()}/${arch()}`);
}

function downloadDir(cacheDir: string, versions: ModuleVersions): string {
  return join(cacheDir, `official-${versions.kubernetes}-etcd-${versions.etcd}-${arch()}`);
}

async function isRecent(path: string): Promise<boolean> {
  const modifiedMs = await stat(path).then((found) => found.mtimeMs, () => 0);
  return Date.now() - modifiedMs < retryAfterMs;
}
