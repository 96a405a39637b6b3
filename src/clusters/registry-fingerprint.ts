import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { ClusterSource } from '../model/settings.ts';
import { isClusterFile } from './registry.ts';

/** A text that changes when a file of the registry is written, replaced, added or removed. */
export async function fingerprintOf(sources: readonly ClusterSource[]): Promise<string> {
  const lines = await Promise.all(
    sources.map((source) =>
      source.kind === 'kubeconfig' ? stampOf(source.path) : stampOfFolder(source.path),
    ),
  );
  return lines.join('\n');
}

async function stampOfFolder(path: string): Promise<string> {
  try {
    const names = (await readdir(path)).filter(isClusterFile).sort();
    return (await Promise.all(names.map((name) => stampOf(join(path, name))))).join('\n');
  } catch {
    return `${path} unreadable`;
  }
}

async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return `${path} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch {
    return `${path} unreadable`;
  }
}
