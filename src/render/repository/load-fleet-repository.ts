import type { Snapshot } from '../../model/snapshot.ts';
import type { FleetRepository } from './fleet-repository.ts';
import { loadClusterDirectories } from './load-cluster-directories.ts';
import { loadGenerators } from './load-generators.ts';
import type { RenderCache } from '../render-cache.ts';
import { sortFaults } from '../sort-faults.ts';

/** Reads what one revision says about generators and clusters. What is broken is told in the result; nothing is thrown. */
export async function loadFleetRepository(snapshot: Snapshot, cache: RenderCache): Promise<FleetRepository> {
  const [{ generators, faults }, { directories, warnings }] = await Promise.all([
    loadGenerators(snapshot, cache),
    loadClusterDirectories(snapshot, cache),
  ]);
  return { snapshot, generators, directories, faults: sortFaults(faults), warnings };
}
