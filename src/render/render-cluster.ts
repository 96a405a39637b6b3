import type { GitCluster } from '../config/cluster-document.ts';
import type { DesiredObject, DesiredState, GeneratorInfo } from '../model/desired.ts';
import type { FleetError } from '../model/fleet-error.ts';
import { compareText } from '../model/object-ref.ts';
import { clusterDirectoryOf } from '../model/origin.ts';
import { type Labels, matchesSelector } from '../model/selector.ts';
import { dropDuplicates } from './drop-duplicates.ts';
import {
  type ClusterDirectory,
  type FleetRepository,
  type GeneratorEntry,
  nameOfGenerator,
} from './repository/fleet-repository.ts';
import { clusterFileNames } from './repository/load-cluster-directories.ts';
import type { RenderCache } from './render-cache.ts';
import { type ClusterFacts, renderGenerator } from './render-generator.ts';
import { type RenderedSource, renderSource } from './render-source.ts';
import { sortFaults } from './sort-faults.ts';

/** A cluster as the registry has it. */
export interface RegisteredCluster {
  readonly name: string;
  readonly labels: Labels;
  readonly annotations: Labels;
}

export interface RenderOptions {
  readonly fleetName: string;
  readonly cache: RenderCache;
}

const noSettings: GitCluster = { labels: {}, annotations: {}, sync: {} };

/**
 * What one revision gives one cluster. Everything that is wrong is in the result, together with all that could be
 * read in spite of it; nothing is thrown.
 */
export async function renderCluster(
  repository: FleetRepository,
  cluster: RegisteredCluster,
  { fleetName, cache }: RenderOptions,
): Promise<DesiredState> {
  const directory = repository.directories.get(cluster.name);
  const settings = directory === undefined ? noSettings : directory.settings;
  const facts: ClusterFacts = {
    name: cluster.name,
    labels: { ...cluster.labels, ...settings?.labels },
    annotations: { ...cluster.annotations, ...settings?.annotations },
    fleetName,
  };
  const parts = await Promise.all([
    ...repository.generators.map((entry) =>
      renderEntry(repository, entry, { facts, cache, labelsKnown: settings !== undefined }),
    ),
    ...(directory === undefined ? [] : [renderDirectory(repository, directory, cache)]),
  ]);
  const distinct = dropDuplicates(parts.flatMap(({ objects }) => objects));
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
    warnings: settings === undefined ? [] : overriddenLabels(cluster, settings),
  };
}

/** What one generator or folder gives one cluster. */
export interface Part {
  readonly info: GeneratorInfo;
  readonly objects: readonly DesiredObject[];
  readonly faults: readonly FleetError[];
}

async function renderEntry(
  { snapshot }: FleetRepository,
  entry: GeneratorEntry,
  {
    facts,
    cache,
    labelsKnown,
  }: { readonly facts: ClusterFacts; readonly cache: RenderCache; readonly labelsKnown: boolean },
): Promise<Part> {
  const name = nameOfGenerator(entry);
  if (entry.state === 'broken' || !labelsKnown) {
    const sync = entry.state === 'broken' ? entry.sync : entry.generator.sync;
    return { info: { name, state: 'failed', sync }, objects: [], faults: [] };
  }
  const { clusterSelector, sync } = entry.generator;
  if (!matchesSelector(clusterSelector, facts.labels)) {
    return { info: { name, state: 'unmatched', sync }, objects: [], faults: [] };
  }
  return toPart({ name, sync }, await renderGenerator(snapshot, entry, { cluster: facts, cache }));
}

/** The manifests of a cluster's own folder. */
export async function renderDirectory(
  { snapshot }: FleetRepository,
  directory: ClusterDirectory,
  cache: RenderCache,
): Promise<Part> {
  const { path, node, settings, faults } = directory;
  const source = {
    generator: clusterDirectoryOf(directory.name),
    path,
    node,
    type: 'auto',
    namespace: 'default',
    except: clusterFileNames.map((file) => `${path}/${file}`),
  } as const;
  const rendered = await renderSource(snapshot, source, cache);
  const part = toPart({ name: source.generator, sync: settings?.sync ?? {} }, rendered);
  return faults.length === 0 ? part : { ...part, info: { ...part.info, state: 'failed' } };
}

function toPart(info: Omit<GeneratorInfo, 'state'>, { objects, faults }: RenderedSource): Part {
  return { info: { ...info, state: faults.length === 0 ? 'rendered' : 'failed' }, objects, faults };
}

function overriddenLabels(cluster: RegisteredCluster, settings: GitCluster): string[] {
  const warn = (what: string, registry: Labels, git: Labels): string[] =>
    Object.keys(git)
      .filter((key) => Object.hasOwn(registry, key) && registry[key] !== git[key])
      .sort(compareText)
      .map((key) => {
        const place = `${clusterDirectoryOf(cluster.name)}/cluster.yaml`;
        return `${what} ${key}: ${place} says ${JSON.stringify(git[key])}, the registry ${JSON.stringify(registry[key])}; Git wins`;
      });
  return [
    ...warn('label', cluster.labels, settings.labels),
    ...warn('annotation', cluster.annotations, settings.annotations),
  ];
}
