import type { DesiredObject } from '../model/desired.ts';
import { FleetError } from '../model/fleet-error.ts';
import type { FileFault, ManifestFile } from './manifests/manifest-file.ts';
import { listManifests } from './manifests/manifest-tree.ts';
import { readManifestFile } from './manifests/read-manifests.ts';
import { faultsOfUnreadable } from './manifests/unreadable-file.ts';
import type { RenderedSource, Source, SourceContext } from './render-source.ts';
import { shareWork } from './share-work.ts';
import { loadTemplates } from './templates/load-templates.ts';
import { pickReads } from './templates/template-reads.ts';
import type { TemplateSource } from './templates/template-source.ts';

/** Reads all manifest files of a source, as they are or each as a template. */
export async function renderFiles(
  type: 'plain' | 'template',
  source: Source,
  context: SourceContext,
): Promise<RenderedSource> {
  const { cache } = context;
  const templates = type === 'template' ? await loadTemplates({ ...source, ...context }, cache) : undefined;
  const key = JSON.stringify([
    type,
    source.generator,
    source.path,
    source.node.oid,
    source.namespace,
    source.except ?? [],
    templates === undefined ? null : pickReads(source.data, templates.reads),
  ]);
  const known = cache.sources.get(key);
  if (known !== undefined) return known;
  return await shareWork(cache.underWay.sources, key, async () => {
    cache.counts.renderings++;
    const result = await readFiles(source, templates, context);
    // A blob that could not be read may be readable next time.
    if (result.faults.every(({ retry }) => retry === 'never'))
      cache.sources.set(key, result, result.objects.length + 1);
    return result;
  });
}

interface ReadFile {
  readonly path: string;
  readonly file: ManifestFile;
}

async function readFiles(
  source: Source,
  templates: TemplateSource | undefined,
  { snapshot, cache }: SourceContext,
): Promise<RenderedSource> {
  const tree = listManifests(source.node, source.path);
  const faults = await faultsOfUnreadable(snapshot, tree.unreadable, source.generator);
  const files: readonly ReadFile[] =
    templates === undefined
      ? await Promise.all(
          tree.files
            .filter(({ path }) => source.except?.includes(path) !== true)
            .map(async (entry) => ({
              path: entry.path,
              file: await readManifestFile(snapshot, entry, cache),
            })),
        )
      : templates.paths.map((path) => ({ path, file: templates.render(path, source.data) }));
  const objects: DesiredObject[] = [];
  for (const { path, file } of files) {
    const place = { generator: source.generator, file: path };
    faults.push(...file.faults.map((fault) => faultOf(fault, place)));
    for (const { ref, manifest, document, line } of file.objects) {
      const origin = { ...place, document, line };
      objects.push({ ref, manifest, origin, defaultNamespace: source.namespace });
    }
  }
  return { objects, faults };
}

function faultOf(
  { code = 'ManifestInvalid', message, document, line, column, file }: FileFault,
  place: { readonly generator: string; readonly file: string },
): FleetError {
  const origin = {
    ...place,
    ...(file === undefined ? {} : { file }),
    document,
    line,
    ...(column === undefined ? {} : { column }),
  };
  return new FleetError(code, message, { origin });
}
