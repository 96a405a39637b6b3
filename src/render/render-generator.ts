import type { JsonObject } from '../model/json.ts';
import { FleetError } from '../model/fleet-error.ts';
import { type Labels, matchesSelector } from '../model/selector.ts';
import { nodeAt, type Snapshot } from '../model/snapshot.ts';
import { type ActiveOverride, applyOverrides } from './overrides/apply-overrides.ts';
import type { GeneratorEntry } from './repository/fleet-repository.ts';
import { renderTemplate, type TemplateData } from './manifests/liquid-template.ts';
import { mergePatch } from './overrides/merge-patch.ts';
import type { RenderCache } from './render-cache.ts';
import { type RenderedSource, renderSource } from './render-source.ts';

type ValidEntry = Extract<GeneratorEntry, { state: 'valid' }>;

/** The cluster that something is rendered for, with Git's labels merged in. */
export interface ClusterFacts {
  readonly name: string;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly fleetName: string;
}

/** What a generator whose selector matches gives one cluster. Clusters that are alike share the very same result. */
export async function renderGenerator(
  snapshot: Snapshot,
  entry: ValidEntry,
  { cluster, cache }: { readonly cluster: ClusterFacts; readonly cache: RenderCache },
): Promise<RenderedSource> {
  const { generator } = entry;
  const overrides: ActiveOverride[] = [];
  for (const [index, override] of generator.overrides.entries()) {
    if (matchesSelector(override.clusterSelector, cluster.labels)) overrides.push({ index, override });
  }
  const data = templateData(generator.parameters, overrides, cluster);
  const path = renderTemplate(generator.sourcePath, data);
  if (!path.ok) return failed(entry, `source.path: ${path.message}`);
  const folder = normalPath(path.text);
  if (folder === undefined)
    return failed(entry, `source.path: ${JSON.stringify(path.text)} leaves the fleet’s root`);
  const node = nodeAt(snapshot.tree, folder);
  if (node === undefined) {
    return generator.optional
      ? { objects: [], faults: [] }
      : failed(entry, `source.path: there is no ${JSON.stringify(folder)} in the repository`);
  }
  const key = JSON.stringify([
    entry.key,
    folder,
    node.oid,
    overrides.map(({ index }) => index),
    generator.renderType === 'template' ? data : null,
  ]);
  const known = cache.sources.get(key);
  if (known !== undefined) return known;
  const source = {
    generator: generator.name,
    path: folder,
    node,
    type: generator.renderType,
    namespace: generator.namespace,
    data,
  };
  const rendered = await renderSource(snapshot, source, cache);
  const overridden = applyOverrides(rendered.objects, overrides, {
    entry,
    complete: rendered.faults.length === 0,
  });
  const result = { objects: overridden.objects, faults: [...rendered.faults, ...overridden.faults] };
  // A blob that could not be read may be readable next time.
  if (result.faults.length === 0) cache.sources.set(key, result, result.objects.length + 1);
  return result;
}

function templateData(
  parameters: JsonObject,
  overrides: readonly ActiveOverride[],
  cluster: ClusterFacts,
): TemplateData {
  return {
    cluster: { name: cluster.name, labels: cluster.labels, annotations: cluster.annotations },
    fleet: { name: cluster.fleetName },
    params: overrides.reduce((merged, { override }) => mergePatch(merged, override.parameters), parameters),
  };
}

/** 'a/b' for './a//b/'; undefined for a path that climbs. A label in it must not lead out of the repository. */
function normalPath(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') || path.startsWith('/') ? undefined : parts.join('/');
}

function failed({ generator, file, document }: ValidEntry, message: string): RenderedSource {
  const at = document.locate(['spec', 'source', 'path']);
  const origin = {
    generator: generator.name,
    file,
    document: document.document,
    line: at.line,
    column: at.column,
  };
  return { objects: [], faults: [new FleetError('RenderFailed', message, { origin })] };
}
