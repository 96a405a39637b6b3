import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import type { FleetSettings } from '../model/settings.ts';
import type { Environment } from './environment.ts';
import { UsageError } from './usage-error.ts';

export const defaultSettingsFile = 'fleetwright.yaml';

/** A settings file that works as it stands, once its URL names a repository. */
export const exampleSettings = `\
apiVersion: fleetwright.dev/v1alpha1
kind: Fleet
metadata: {name: my-fleet}
spec:
  source:
    url: https://git.example.com/my-org/fleet.git
    ref: main
  clusters:
    - kubeconfig: {path: ~/.kube/config}
  stateDir: ./.fleetwright
`;

export interface LoadedSettings {
  readonly settings: FleetSettings;
  readonly warnings: readonly string[];
}

type Place = Pick<Environment, 'cwd' | 'homeDir'>;

/**
 * Reads the settings from `file`, or from fleetwright.yaml in the current folder.
 * @throws UsageError with every fault when they cannot be read, and with an example when there is no such file.
 */
export async function loadSettings(
  file: string | undefined,
  place: Place,
  signal: AbortSignal,
): Promise<LoadedSettings> {
  const name = file ?? defaultSettingsFile;
  const text = await readText(name, place, signal);
  if (text !== undefined) return parse(text, name, place);
  const said =
    file === undefined ? `There is no ${name} in ${place.cwd}` : `There is no settings file ${name}`;
  throw new UsageError(
    `${said}. Write one like this, or name another with --config:\n\n${exampleSettings}\nOr try everything without any set-up: fleetwright demo`,
  );
}

/** As loadSettings, but undefined when no file was named and fleetwright.yaml is not there. */
export async function loadSettingsIfThere(
  file: string | undefined,
  place: Place,
  signal: AbortSignal,
): Promise<LoadedSettings | undefined> {
  if (file !== undefined) return loadSettings(file, place, signal);
  const text = await readText(defaultSettingsFile, place, signal);
  return text === undefined ? undefined : parse(text, defaultSettingsFile, place);
}

async function readText(name: string, { cwd }: Place, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await readFile(resolve(cwd, name), { encoding: 'utf8', signal });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return undefined;
    signal.throwIfAborted();
    throw new UsageError(
      `The settings file ${name} cannot be read: ${error instanceof Error ? error.message : 'unknown'}`,
    );
  }
}

async function parse(text: string, name: string, place: Place): Promise<LoadedSettings> {
  // Loaded only now, so that --help and --version need not wait for it.
  const { parseFleetSettings } = await import('../config/fleet-settings.ts');
  const baseDir = dirname(resolve(place.cwd, name));
  const parsed = parseFleetSettings(text, { file: name, baseDir, homeDir: place.homeDir });
  if (parsed.ok) return { settings: parsed.value, warnings: parsed.warnings };
  throw new UsageError(`The settings in ${name} are not valid; nothing was tried.`, parsed.faults);
}
