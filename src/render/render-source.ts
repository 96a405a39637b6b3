import type { RenderType } from '../config/generator-document.ts';
import type { DesiredObject } from '../model/desired.ts';
import type { ErrorCode } from '../model/error-codes.ts';
import { FleetError } from '../model/fleet-error.ts';
import type { Origin } from '../model/origin.ts';
import type { Snapshot, TreeNode } from '../model/snapshot.ts';
import type { ManifestFile } from './manifests/manifest-file.ts';
import { listManifests, type ManifestEntry, rendererOf } from './manifests/manifest-tree.ts';
import { faultsOfUnreadable } from './manifests/unreadable-file.ts';
import { readManifestFile } from './manifests/read-manifests.ts';
import { readTemplateFile } from './manifests/read-template.ts';
import type { RenderCache } from './render-cache.ts';
import type { TemplateData } from './manifests/liquid-template.ts';

/** What one source gives: its objects as far as it could be read, and all that is wrong with it. */
export interface RenderedSource {
  readonly objects: readonly DesiredObject[];
  readonly faults: readonly FleetError[];
}

export interface Source {
  /** See Origin. */
  readonly generator: string;
  readonly path: string;
  readonly node: TreeNode;
  readonly type: RenderType;
  readonly namespace: string;
  /** Files that are no manifests of the source. */
  readonly except?: readonly string[];
  /** For templates. */
  readonly data?: TemplateData;
}

/** Reads all files of a source. One that is broken takes none of the others with it. */
export async function renderSource(
  snapshot: Snapshot,
  source: Source,
  cache: RenderCache,
): Promise<RenderedSource> {
  const tree = listManifests(source.node, source.path);
  const faults = await faultsOfUnreadable(snapshot, tree.unreadable, source.generator);
  if (source.type === 'auto') faults.push(...faultsOfMarkers(source, tree.markers));
  if (faults.some((fault) => fault.code === 'RenderFailed')) return { objects: [], faults };
  const entries = tree.files.filter(({ path }) => source.except?.includes(path) !== true);
  const files = await Promise.all(entries.map((entry) => readFile(snapshot, source, { entry, cache })));
  const objects: DesiredObject[] = [];
  for (const [index, file] of files.entries()) {
    const path = entries[index]?.path ?? '';
    for (const fault of file.faults) {
      faults.push(
        faultAt(fault.code ?? 'ManifestInvalid', fault.message, {
          ...originOf(source, path),
          ...placeOf(fault),
        }),
      );
    }
    for (const { ref, manifest, document, line } of file.objects) {
      const origin: Origin = { generator: source.generator, file: path, document, line };
      objects.push({ ref, manifest, origin, defaultNamespace: source.namespace });
    }
  }
  return { objects, faults };
}

function readFile(
  snapshot: Snapshot,
  source: Source,
  { entry, cache }: { readonly entry: ManifestEntry; readonly cache: RenderCache },
): Promise<ManifestFile> {
  if (source.type !== 'template' || source.data === undefined)
    return readManifestFile(snapshot, entry, cache);
  const data = source.data;
  return cache.limit(() => readTemplateFile(snapshot, entry.path, data));
}

function faultsOfMarkers(source: Source, markers: readonly string[]): FleetError[] {
  return markers.map((path) => {
    const renderer = rendererOf(path);
    const message = `the source is made for ${renderer}, which is not supported yet; set render.type: plain to read its files as they are`;
    return faultAt('RenderFailed', message, originOf(source, path));
  });
}

function originOf({ generator }: Source, file: string): Origin {
  return { generator, file, document: 1, line: 1 };
}

function placeOf(fault: { readonly document: number; readonly line: number; readonly column?: number }) {
  const { document, line, column } = fault;
  return column === undefined ? { document, line } : { document, line, column };
}

function faultAt(code: ErrorCode, message: string, origin: Origin): FleetError {
  return new FleetError(code, message, { origin });
}
