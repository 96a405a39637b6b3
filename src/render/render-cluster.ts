import type { DesiredObject, DesiredState, GeneratorInfo } from '../model/desired.ts';
import type { FleetError } from '../model/fleet-error.ts';
import { clusterDirectoryOf } from '../model/origin.ts';
import { matchesSelector } from '../model/selector.ts';
import {
  type ClusterFacts,
  clusterFacts,
  overriddenLabels,
  type RegisteredCluster,
} from './cluster-facts.ts';
import { scopeLookup } from './cluster-scoped-kinds.ts';
import { defaultedNamespaces } from './defaulted-namespaces.ts';
import { dropDuplicates } from './drop-duplicates.ts';
import type { RenderCache } from './render-cache.ts';
import { renderDirectory } from './render-directory.ts';
import { renderGenerator } from './render-generator.ts';
import type { SourceContext } from './render-source.ts';
import type { Renderers } from './renderers/renderer.ts';
import {
  type ClusterDirectory,
  type FleetRepository,
  type GeneratorEntry,
  nameOfGenerator,
} from './repository/fleet-repository.ts';
import { sortFaults } from './sort-faults.ts';

export interface RenderOptions {
  readonly fleetName: string;
  readonly cache: RenderCache;
  /** What renders sources of kustomize and helm. */
  readonly renderers?: Renderers;
  readonly signal: AbortSignal;
}

/**
 * What one revision gives one cluster. Everything that is wrong is in the result, together with all that could be
 * read in spite of it; nothing is thrown but the signal's reason.
 */
export async function renderCluster(
  repository: FleetRepository,
  cluster: RegisteredCluster,
  options: RenderOptions,
): Promise<DesiredState> {
  const directory = repository.directories.get(cluster.name);
  const settings = directory?.settings;
  const facts = clusterFacts(cluster, settings, options.fleetName);
  const context = contextOf(repository, options);
  const labelsKnown = directory === undefined || settings !== undefined;
  const parts = await Promise.all([
    ...repository.generators.map((entry) =>
      labelsKnown ? partOfGenerator(entry, facts, context) : failedPart(entry),
    ),
    ...(directory === undefined ? [] : [partOfDirectory(directory, facts, context)]),
  ]);
  const all = parts.flatMap(({ objects }) => objects);
  const scopeOf = scopeLookup(all, cluster.server);
  const distinct = dropDuplicates(all, scopeOf);
  const faults = [
    ...repository.faults,
    ...(directory?.faults ?? []),
    ...parts.flatMap((part) => part.faults),
    ...distinct.faults,
  ];
  return {
    cluster: cluster.name,
    revision: repository.snapshot.revision,
    objects: distinct.objects,
    generators: new Map(
      parts.map(({ info }) => [
        info.name,
        distinct.losers.has(info.name) ? { ...info, state: 'failed' } : info,
      ]),
    ),
    faults: sortFaults(faults),
    labels: facts.labels,
    warnings: [
      ...(settings === undefined ? [] : overriddenLabels(cluster, settings)),
      ...parts.flatMap((part) => part.warnings),
      ...parts.flatMap((part) => (part.namesNamespace ? [] : defaultedNamespaces(part, scopeOf))),
    ],
  };
}

/** What all sources of a revision are rendered with. */
export function contextOf(
  { snapshot }: FleetRepository,
  { cache, renderers = {}, signal }: RenderOptions,
): SourceContext {
  return { snapshot, cache, renderers, signal };
}

/** What one generator or folder gives one cluster. */
interface Part {
  readonly info: GeneratorInfo;
  readonly objects: readonly DesiredObject[];
  readonly faults: readonly FleetError[];
  readonly warnings: readonly string[];
  /** Whether it says in which namespace objects belong that name none. */
  readonly namesNamespace: boolean;
}

const nothing = { objects: [], faults: [], warnings: [], namesNamespace: true } as const;

async function partOfGenerator(
  entry: GeneratorEntry,
  facts: ClusterFacts,
  context: SourceContext,
): Promise<Part> {
  if (entry.state === 'broken') return failedPart(entry);
  const { name, sync, dependsOn, clusterSelector, namespace } = entry.generator;
  const info = { name, sync, ...(dependsOn.length === 0 ? {} : { dependsOn }) };
  if (!matchesSelector(clusterSelector, facts.labels))
    return { ...nothing, info: { ...info, state: 'unmatched' } };
  const { matched, ...rendered } = await renderGenerator(entry, facts, context);
  const state = !matched ? 'unmatched' : rendered.faults.length === 0 ? 'rendered' : 'failed';
  return { ...rendered, info: { ...info, state }, namesNamespace: namespace !== undefined };
}

/** A generator of which nothing can be known for the cluster. */
function failedPart(entry: GeneratorEntry): Part {
  const sync = entry.state === 'broken' ? entry.sync : entry.generator.sync;
  const dependsOn = entry.state === 'broken' ? [] : entry.generator.dependsOn;
  const info = { name: nameOfGenerator(entry), sync, ...(dependsOn.length === 0 ? {} : { dependsOn }) };
  return { ...nothing, info: { ...info, state: 'failed' } };
}

async function partOfDirectory(
  directory: ClusterDirectory,
  facts: ClusterFacts,
  context: SourceContext,
): Promise<Part> {
  const { objects, faults, warnings = [] } = await renderDirectory(directory, facts, context);
  const name = clusterDirectoryOf(directory.name);
  const state = faults.length + directory.faults.length === 0 ? 'rendered' : 'failed';
  return {
    info: { name, state, sync: directory.settings?.sync ?? {} },
    objects,
    faults,
    warnings,
    namesNamespace: false,
  };
}
