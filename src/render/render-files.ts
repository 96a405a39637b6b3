import type { DesiredObject } from '../model/desired.ts';
import { FleetError } from '../model/fleet-error.ts';
import type { FileFault, ManifestFile } from './manifests/manifest-file.ts';
import { listManifests, type ManifestEntry } from './manifests/manifest-tree.ts';
import { readManifestFile } from './manifests/read-manifests.ts';
import { readTemplateFile } from './manifests/read-template.ts';
import { faultsOfUnreadable } from './manifests/unreadable-file.ts';
import type { RenderedSource, Source, SourceContext } from './render-source.ts';

/** Reads all manifest files of a source, as they are or each as a template. */
export async function renderFiles(
  type: 'plain' | 'template',
  source: Source,
  context: SourceContext,
): Promise<RenderedSource> {
  const { cache } = context;
  const key = JSON.stringify([
    type,
    source.generator,
    source.path,
    source.node.oid,
    source.namespace,
    source.except ?? [],
    type === 'template' ? source.data : null,
  ]);
  const known = cache.sources.get(key);
  if (known !== undefined) return known;
  cache.counts.renderings++;
  const result = await readFiles(type, source, context);
  // A blob that could not be read may be readable next time.
  if (result.faults.every(({ retry }) => retry === 'never'))
    cache.sources.set(key, result, result.objects.length + 1);
  return result;
}

async function readFiles(
  type: 'plain' | 'template',
  source: Source,
  { snapshot, cache }: SourceContext,
): Promise<RenderedSource> {
  const tree = listManifests(source.node, source.path);
  const faults = await faultsOfUnreadable(snapshot, tree.unreadable, source.generator);
  const entries = tree.files.filter(({ path }) => source.except?.includes(path) !== true);
  const readFile = (entry: ManifestEntry): Promise<ManifestFile> =>
    type === 'plain'
      ? readManifestFile(snapshot, entry, cache)
      : cache.limit(() => readTemplateFile(snapshot, entry.path, source.data));
  const files = await Promise.all(entries.map(readFile));
  const objects: DesiredObject[] = [];
  for (const [index, file] of files.entries()) {
    const place = { generator: source.generator, file: entries[index]?.path ?? '' };
    faults.push(...file.faults.map((fault) => faultOf(fault, place)));
    for (const { ref, manifest, document, line } of file.objects) {
      const origin = { ...place, document, line };
      objects.push({ ref, manifest, origin, defaultNamespace: source.namespace });
    }
  }
  return { objects, faults };
}

function faultOf(
  { code = 'ManifestInvalid', message, document, line, column }: FileFault,
  place: { readonly generator: string; readonly file: string },
): FleetError {
  const origin = { ...place, document, line, ...(column === undefined ? {} : { column }) };
  return new FleetError(code, message, { origin });
}
