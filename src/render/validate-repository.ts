import type { FleetError } from '../model/fleet-error.ts';
import { nodeAt } from '../model/snapshot.ts';
import type { FleetRepository } from './repository/fleet-repository.ts';
import {
  type RegisteredCluster,
  renderCluster,
  renderDirectory,
  type RenderOptions,
} from './render-cluster.ts';
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
    faults.push(...directory.faults, ...(await renderDirectory(repository, directory, options.cache)).faults);
  }
  for (const entry of repository.generators) {
    if (entry.state === 'valid' && !used.has(entry.generator.name)) {
      faults.push(...(await faultsOfUnused(repository, entry, options)));
    }
  }
  return sortFaults(faults);
}

/** A source whose path or content depends on the cluster says nothing without one. */
async function faultsOfUnused(
  { snapshot }: FleetRepository,
  { generator }: Extract<FleetRepository['generators'][number], { state: 'valid' }>,
  { cache }: RenderOptions,
): Promise<readonly FleetError[]> {
  const { name, sourcePath: path, renderType: type, namespace } = generator;
  const node = path.includes('{') || type === 'template' ? undefined : nodeAt(snapshot.tree, path);
  if (node === undefined) return [];
  return (await renderSource(snapshot, { generator: name, path, node, type, namespace }, cache)).faults;
}
