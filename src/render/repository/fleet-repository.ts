import type { Generator } from '../../config/generator/generator.ts';
import type { GitCluster } from '../../config/cluster-document.ts';
import type { YamlDocument } from '../../config/yaml/parse-manifests.ts';
import type { GeneratorSyncPolicy } from '../../model/desired.ts';
import type { FleetError } from '../../model/fleet-error.ts';
import { clusterDirectoryOf } from '../../model/origin.ts';
import type { Snapshot, TreeNode } from '../../model/snapshot.ts';

export interface ValidEntry {
  readonly state: 'valid';
  readonly generator: Generator;
  readonly file: string;
  readonly document: YamlDocument;
  /** Equal for equal definitions at the same place. */
  readonly key: string;
}

/** A generator of the repository. A broken one keeps its name, where it has one, so that nothing takes it for removed. */
export type GeneratorEntry =
  ValidEntry | { readonly state: 'broken'; readonly name: string; readonly sync: GeneratorSyncPolicy };

/** clusters/<name>: its manifests, and what its cluster.yaml says. */
export interface ClusterDirectory {
  readonly name: string;
  readonly path: string;
  readonly node: TreeNode;
  /** Missing where cluster.yaml is broken: then the cluster's labels are not known. */
  readonly settings?: GitCluster;
  /** Faults of cluster.yaml. */
  readonly faults: readonly FleetError[];
}

/** One revision's generators and cluster directories, with all that is wrong with them. */
export interface FleetRepository {
  readonly snapshot: Snapshot;
  /** By name. */
  readonly generators: readonly GeneratorEntry[];
  readonly directories: ReadonlyMap<string, ClusterDirectory>;
  /** Faults of generators/: while there is one, its selector is unknown and it may concern any cluster. */
  readonly faults: readonly FleetError[];
  /** Faults under clusters/ that belong to no cluster's folder. */
  readonly warnings: readonly string[];
}

export function nameOfGenerator(entry: GeneratorEntry): string {
  return entry.state === 'valid' ? entry.generator.name : entry.name;
}

/** Faults that concern no single cluster. */
export function repositoryFaults(repository: FleetRepository): readonly FleetError[] {
  return repository.faults;
}

/** Things a person should know that concern no single cluster: above all folders of clusters that nobody registered. */
export function repositoryWarnings(repository: FleetRepository, registered: Iterable<string>): string[] {
  const known = new Set(registered);
  const strangers = [...repository.directories.keys()].filter((name) => !known.has(name));
  return [
    ...repository.warnings,
    ...strangers.map(
      (name) => `${clusterDirectoryOf(name)}/ is of no use: no cluster of that name is registered`,
    ),
  ];
}
