import { FleetError } from '../model/fleet-error.ts';
import { matchesSelector } from '../model/selector.ts';
import { nodeAt } from '../model/snapshot.ts';
import { type ClusterFacts, templateData } from './cluster-facts.ts';
import { capabilitiesOf, defaultHelm } from './generators/helm-options.ts';
import { type ActiveOverride, applyOverrides } from './overrides/apply-overrides.ts';
import type { GeneratorEntry } from './repository/fleet-repository.ts';
import { renderTemplate } from './templates/render-template.ts';
import { mergePatch } from './overrides/merge-patch.ts';
import { type RenderedSource, renderSource, type SourceContext } from './render-source.ts';

type ValidEntry = Extract<GeneratorEntry, { state: 'valid' }>;

/** What a generator whose selector matches gives one cluster. Clusters that are alike share the very same result. */
export async function renderGenerator(
  entry: ValidEntry,
  cluster: ClusterFacts,
  context: SourceContext,
): Promise<RenderedSource> {
  const { generator } = entry;
  const overrides: ActiveOverride[] = [];
  for (const [index, override] of generator.overrides.entries()) {
    if (matchesSelector(override.clusterSelector, cluster.labels)) overrides.push({ index, override });
  }
  const params = overrides.reduce(
    (merged, { override }) => mergePatch(merged, override.parameters),
    generator.parameters,
  );
  const data = templateData(cluster, params);
  const path = renderTemplate(generator.sourcePath, data);
  if (!path.ok) return failed(entry, `source.path: ${path.message}`);
  const folder = normalPath(path.text);
  if (folder === undefined)
    return failed(entry, `source.path: ${JSON.stringify(path.text)} leaves the fleet’s root`);
  const node = nodeAt(context.snapshot.tree, folder);
  if (node === undefined) {
    return generator.optional
      ? { objects: [], faults: [] }
      : failed(entry, `source.path: there is no ${JSON.stringify(folder)} in the repository`);
  }
  const rendered = await renderSource(
    {
      generator: generator.name,
      path: folder,
      node,
      type: generator.render.type,
      namespace: generator.namespace ?? 'default',
      data,
      capabilities: capabilitiesOf(cluster.server, generator.render.helm),
      helm: { releaseName: generator.name, ...defaultHelm, ...generator.render.helm },
    },
    context,
  );
  const overridden = applyOverrides(rendered.objects, overrides, {
    entry,
    complete: rendered.faults.length === 0,
  });
  return { ...rendered, objects: overridden.objects, faults: [...rendered.faults, ...overridden.faults] };
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
