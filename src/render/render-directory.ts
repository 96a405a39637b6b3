import { clusterDirectoryOf } from '../model/origin.ts';
import { type ClusterFacts, templateData } from './cluster-facts.ts';
import { capabilitiesOf, defaultHelm } from './generators/helm-options.ts';
import { type RenderedSource, renderSource, type SourceContext } from './render-source.ts';
import type { ClusterDirectory } from './repository/fleet-repository.ts';
import { clusterFileNames } from './repository/load-cluster-directories.ts';

/** What a cluster's own folder gives. */
export async function renderDirectory(
  { name, path, node }: ClusterDirectory,
  facts: ClusterFacts,
  context: SourceContext,
): Promise<RenderedSource> {
  return await renderSource(
    {
      generator: clusterDirectoryOf(name),
      path,
      node,
      type: 'auto',
      namespace: 'default',
      except: clusterFileNames.map((file) => `${path}/${file}`),
      data: templateData(facts, {}),
      capabilities: capabilitiesOf(facts.server),
      helm: { ...defaultHelm, releaseName: name },
    },
    context,
  );
}
