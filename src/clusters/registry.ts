import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { decodeText } from '../config/yaml/decode-text.ts';
import type { ClusterSource, FleetSettings } from '../model/settings.ts';
import { clustersOfFile } from './cluster-file.ts';
import { clustersOfKubeconfig } from './kubeconfig-clusters.ts';
import { joinRegistry, type Registry, type RegistryPart, registryFault } from './registry-part.ts';

/** A mounted file system may hang; a read that takes longer fails. */
const readTimeoutMs = 10_000;

/**
 * Reads all clusters that the settings name. A file that cannot be read is a fault that names it, and no cluster of
 * any other file is lost with it. Throws only the signal's reason, when it is aborted.
 */
export async function loadRegistry(
  settings: FleetSettings,
  { signal }: { readonly signal: AbortSignal },
): Promise<Registry> {
  const parts = await Promise.all(settings.clusters.map((source) => readSource(source, signal)));
  signal.throwIfAborted();
  const inline = settings.inlineClusters.map((cluster) => ({ cluster, place: 'the settings file' }));
  return joinRegistry([...parts, { registrations: inline, faults: [] }]);
}

async function readSource(source: ClusterSource, signal: AbortSignal): Promise<RegistryPart> {
  switch (source.kind) {
    case 'kubeconfig':
      return await readPart(source.path, signal, (text) => clustersOfKubeconfig(text, source));
    case 'directory':
      return await readDirectory(source.path, signal);
  }
}

async function readDirectory(path: string, signal: AbortSignal): Promise<RegistryPart> {
  let names: string[];
  try {
    names = (await readdir(path)).filter(isClusterFile).sort();
  } catch (error) {
    return {
      registrations: [],
      faults: [registryFault(path, `the folder cannot be read (${reasonOf(error)})`)],
    };
  }
  const homeDir = homedir();
  const parts = await Promise.all(
    names.map((name) => {
      const file = join(path, name);
      return readPart(file, signal, (text) => clustersOfFile(text, { file, homeDir }));
    }),
  );
  return {
    registrations: parts.flatMap((part) => part.registrations),
    faults: parts.flatMap((part) => part.faults),
  };
}

/** Names with a leading dot are left out: editors' leftovers, and the machinery of mounted Secrets. */
export function isClusterFile(name: string): boolean {
  return !name.startsWith('.') && /\.(ya?ml|json)$/i.test(name);
}

async function readPart(
  file: string,
  signal: AbortSignal,
  parse: (text: string) => RegistryPart,
): Promise<RegistryPart> {
  try {
    const bytes = await readFile(file, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(readTimeoutMs)]),
    });
    const decoded = decodeText(bytes);
    return decoded.ok
      ? parse(decoded.text)
      : { registrations: [], faults: [registryFault(file, decoded.message)] };
  } catch (error) {
    return {
      registrations: [],
      faults: [registryFault(file, `the file cannot be read (${reasonOf(error)})`)],
    };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if (!('code' in error)) return error.message;
  const texts: Readonly<Record<string, string>> = {
    ENOENT: 'it does not exist',
    EACCES: 'no permission',
    ENOTDIR: 'it is no folder',
    EISDIR: 'it is a folder',
  };
  return texts[String(error.code)] ?? String(error.code);
}
