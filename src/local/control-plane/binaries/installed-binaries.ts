import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Command, type ComponentName, componentNames, type ControlPlaneBinaries } from '../component-name.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** All three programs in $KUBEBUILDER_ASSETS or on $PATH; undefined when one is missing. */
export async function findInstalledBinaries(env: Environment): Promise<ControlPlaneBinaries | undefined> {
  const folders = [env['KUBEBUILDER_ASSETS'] ?? '', ...(env['PATH'] ?? '').split(delimiter)].filter((folder) => folder !== '');
  const commands = await commandsIn(folders);
  return commands === undefined ? undefined : { source: 'installed', commands };
}

/** A command for each program, from the first folder that has it; undefined when one is nowhere. */
export async function commandsIn(folders: readonly string[]): Promise<Record<ComponentName, Command> | undefined> {
  const [etcd, apiServer, controllerManager] = await Promise.all(componentNames.map((name) => firstExecutable(folders, name)));
  if (etcd === undefined || apiServer === undefined || controllerManager === undefined) return undefined;
  const command = (path: string): Command => ({ path, args: [] });
  return {
    etcd: command(etcd),
    'kube-apiserver': command(apiServer),
    'kube-controller-manager': command(controllerManager),
  };
}

async function firstExecutable(folders: readonly string[], name: string): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/** Whether there is a file that may be run. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
