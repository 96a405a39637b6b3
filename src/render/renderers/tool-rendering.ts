import { createHash } from 'node:crypto';

import { FleetError, toFleetError } from '../../model/fleet-error.ts';
import type { Origin } from '../../model/origin.ts';
import { nodeAt, type Snapshot } from '../../model/snapshot.ts';
import { listManifests, type ManifestEntry } from '../manifests/manifest-tree.ts';
import { faultsOfUnreadable } from '../manifests/unreadable-file.ts';
import type { RenderedSource } from '../render-source.ts';
import { keepRendering, recallRendering } from './kept-renderings.ts';
import type { RenderRequest } from './renderer.ts';

interface Rendering {
  /** All that decides the result. */
  readonly inputs: readonly unknown[];
  /** What a fault without a place of its own is about. */
  readonly file: string;
}

/**
 * The result for all that decides it, rendered once, also across restarts where results are kept. A result with faults is kept, too, since the tool would only say
 * the same again, unless it is a matter of the machine and not of the source.
 */
export async function renderOnce(
  request: RenderRequest,
  { inputs, file }: Rendering,
  render: (key: string) => Promise<RenderedSource>,
): Promise<RenderedSource> {
  const { cache } = request;
  const key = JSON.stringify(inputs);
  const known = cache.sources.get(key);
  if (known !== undefined) return known;
  const kept = cache.kept === undefined ? undefined : recallRendering(cache.kept, key);
  if (kept === undefined) cache.counts.renderings++;
  const result = kept ?? (await render(key).catch((error: unknown) => failedSource(error, request, file)));
  const isSettled = result.faults.every(({ retry }) => retry === 'never');
  if (isSettled) cache.sources.set(key, result, result.objects.length + 1);
  if (kept === undefined && cache.kept !== undefined) keepRendering(cache.kept, key, result);
  return result;
}

/** A source that gives nothing but a fault, which is what `error` says. @throws the signal's reason */
export function failedSource(
  error: unknown,
  { generator, signal }: RenderRequest,
  file: string,
): RenderedSource {
  signal.throwIfAborted();
  const fault = toFleetError(error, { origin: { generator, file, document: 1, line: 1 } });
  return { objects: [], faults: [fault] };
}

/** A fault at a place of the source. */
export function faultAt(message: string, origin: Origin): FleetError {
  return new FleetError('RenderFailed', message, { origin });
}

/** What is in the folders and cannot be read: links that lead nowhere or too far, and other repositories. */
export async function faultsOfLinks(
  snapshot: Snapshot,
  folders: readonly string[],
  generator: string,
): Promise<FleetError[]> {
  const unreadable = folders.flatMap((folder) => {
    const node = nodeAt(snapshot.tree, folder);
    return node === undefined ? [] : listManifests(node, folder).unreadable;
  });
  return await faultsOfUnreadable(snapshot, unreadable, generator);
}

/** The ids of what lies at these paths. */
export function oidsOf(snapshot: Snapshot, paths: readonly string[]): (string | undefined)[] {
  return paths.map((path) => nodeAt(snapshot.tree, path)?.oid);
}

const digests = new WeakMap<readonly string[], string>();

/** A short stand-in for a long list that many requests share. */
export function digestOf(list: readonly string[]): string {
  const known = digests.get(list) ?? createHash('sha256').update(JSON.stringify(list)).digest('hex');
  digests.set(list, known);
  return known;
}

/** The file at a path as an entry to read. */
export function entryAt(snapshot: Snapshot, path: string): ManifestEntry | undefined {
  const node = nodeAt(snapshot.tree, path);
  return node?.kind === 'file' ? { path, oid: node.oid } : undefined;
}
