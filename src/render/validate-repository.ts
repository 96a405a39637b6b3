import type { FleetError } from '../model/fleet-error.ts';
import { nodeAt } from '../model/snapshot.ts';
import type { FleetRepository } from './repository/fleet-repository.ts';
import { clusterFacts, type RegisteredCluster, templateData } from './cluster-facts.ts';
import { defaultHelm } from './generators/helm-options.ts';
import { contextOf, renderCluster, type RenderOptions } from './render-cluster.ts';
import { renderDirectory } from './render-directory.ts';
import { renderSource } from './render-source.ts';
import { sortFaults } from './sort-faults.ts';

/**
 * Every fault of a repository, each once: those that any of the clusters would meet, those in folders of clusters that
 * are not registered, and those in sources that no cluster matches, as far as these can be read without one.
 */
export async function validateRepository(
  repository: FleetRepository,
  clusters: readonly RegisteredCluster[],
  options: RenderOptions,
): Promise<FleetError[]> {
  const registered = new Set(clusters.map(({ name }) => name));
  const faults: FleetError[] = [...repository.faults];
  const used = new Set<string>();
  for (const cluster of clusters) {
    const state = await renderCluster(repository, cluster, options);
    faults.push(...state.faults);
    for (const { name, state: outcome } of state.generators.values())
      if (outcome !== 'unmatched') used.add(name);
  }
  for (const directory of repository.directories.values()) {
    // The labels of a cluster that is not registered are not known, so no generator can be rendered for it.
    if (registered.has(directory.name)) continue;
    const facts = clusterFacts(strangerNamed(directory.name), directory.settings, options.fleetName);
    const rendered = await renderDirectory(directory, facts, contextOf(repository, options));
    faults.push(...directory.faults, ...rendered.faults);
  }
  for (const entry of repository.generators) {
    if (entry.state === 'valid' && !used.has(entry.generator.name)) {
      faults.push(...(await faultsOfUnused(repository, entry, options)));
    }
  }
  return sortFaults(faults);
}

function strangerNamed(name: string): RegisteredCluster {
  return { name, labels: {}, annotations: {} };
}

/** A source whose path or content depends on the cluster says nothing without one. */
async function faultsOfUnused(
  repository: FleetRepository,
  { generator }: Extract<FleetRepository['generators'][number], { state: 'valid' }>,
  options: RenderOptions,
): Promise<readonly FleetError[]> {
  const { name, sourcePath: path, render, namespace = 'default' } = generator;
  const isPlain = render.type === 'auto' || render.type === 'plain';
  const node =
    path.includes('{') || namespace.includes('{') || !isPlain
      ? undefined
      : nodeAt(repository.snapshot.tree, path);
  if (node === undefined) return [];
  const data = templateData(clusterFacts(strangerNamed(''), undefined, options.fleetName), {});
  const capabilities = { kubeVersion: undefined, apiVersions: [] };
  const helm = { ...defaultHelm, releaseName: name };
  const source = { generator: name, path, node, type: render.type, namespace, data, capabilities, helm };
  return (await renderSource(source, contextOf(repository, options))).faults;
}
