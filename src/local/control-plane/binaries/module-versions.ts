import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { FleetError } from '../../../model/fleet-error.ts';

/** What the Go module in control-plane/ pins; downloads are of the same versions. */
export interface ModuleVersions {
  /** 'v1.36.3'. */
  readonly kubernetes: string;
  /** 'v3.6.14'. */
  readonly etcd: string;
  /** Names a build of exactly these sources for this machine: 'v1.36.3-linux-x64-1f6cb8f4b2'. */
  readonly buildId: string;
}

/**
 * Reads the versions from go.mod, their only home.
 * @throws FleetError Internal when the module is not there or names no version.
 */
export async function readModuleVersions(moduleDir: string): Promise<ModuleVersions> {
  const [goMod, main] = await Promise.all(['go.mod', 'main.go'].map((file) => readSource(join(moduleDir, file))));
  const kubernetes = requiredVersion(goMod ?? '', 'k8s.io/kubernetes');
  const hash = createHash('sha256').update(`${goMod ?? ''}\0${main ?? ''}`).digest('hex').slice(0, 10);
  return {
    kubernetes,
    etcd: requiredVersion(goMod ?? '', 'go.etcd.io/etcd/server/v3'),
    buildId: `${kubernetes}-${platform()}-${arch()}-${hash}`,
  };
}

async function readSource(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new FleetError('Internal', `the control plane's Go module cannot be read: ${path}`, { cause });
  }
}

function requiredVersion(goMod: string, module: string): string {
  const line = goMod.split('\n').find((text) => text.trim().startsWith(`${module} v`));
  const version = line?.trim().split(' ')[1];
  if (version === undefined) throw new FleetError('Internal', `go.mod requires no ${module}`);
  return version;
}
