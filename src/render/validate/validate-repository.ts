import { type Finding, findingOf } from '../../model/finding.ts';
import { compareText } from '../../model/object-ref.ts';
import { clusterDirectoryOf } from '../../model/origin.ts';
import { nodeAt } from '../../model/snapshot.ts';
import { clusterFacts, type RegisteredCluster, templateData } from '../cluster-facts.ts';
import { defaultHelm } from '../generators/helm-options.ts';
import { contextOf, renderCluster, type RenderOptions } from '../render-cluster.ts';
import { renderDirectory } from '../render-directory.ts';
import { type RenderedSource, renderSource } from '../render-source.ts';
import type { FleetRepository, ValidEntry } from '../repository/fleet-repository.ts';
import { ObjectChecker } from './check-objects.ts';
import { findingOfWarning } from './finding-of-warning.ts';
import { Findings } from './findings.ts';
import { factsOfVersion, type KubernetesSchemas } from './schema/kubernetes-schemas.ts';
import { surveyGenerator } from './survey-generator.ts';
import { unmatchedSelectors } from './unmatched-selectors.ts';
import { unusedParameters } from './unused-parameters.ts';
import { unusedSources } from './unused-sources.ts';

export interface ValidateOptions extends RenderOptions {
  readonly kubernetes: KubernetesSchemas;
  /**
   * registered: these are the clusters of the fleet. labels: made up from sets of labels, so that nothing can be said of
   * names. folders: those that have a folder, of which only the labels in cluster.yaml are known.
   */
  readonly known: 'registered' | 'labels' | 'folders';
  /** Whether these are all that are known; of a part nothing can be said to be for none. */
  readonly areAll: boolean;
  /** Called after each cluster. */
  readonly onCluster?: (done: number) => void;
}

/**
 * Everything that is wrong or strange in a repository, each thing once: what any of the clusters would meet, what lies
 * in folders of clusters that are not registered and in sources that no cluster matches, so far as these can be read
 * without one, fields that their kinds do not have, and what is there for nothing.
 */
export async function validateRepository(
  repository: FleetRepository,
  clusters: readonly RegisteredCluster[],
  options: ValidateOptions,
): Promise<Finding[]> {
  const validation = new Validation(repository, clusters, options);
  await validation.renderAll();
  await validation.renderTheRest();
  await validation.lookAround();
  return await validation.result();
}

class Validation {
  readonly #repository: FleetRepository;
  readonly #clusters: readonly RegisteredCluster[];
  readonly #options: ValidateOptions;
  readonly #findings = new Findings();
  readonly #checker: ObjectChecker;
  /** Generators that some cluster's labels match, and those that gave it something. */
  readonly #active = new Set<string>();

  constructor(repository: FleetRepository, clusters: readonly RegisteredCluster[], options: ValidateOptions) {
    this.#repository = repository;
    // Nobody can be asked, so a cluster that was never reached is taken for one of the version that is known.
    const server = factsOfVersion(options.kubernetes);
    this.#clusters = clusters.map((cluster) => ({ server, ...cluster }));
    this.#options = options;
    this.#checker = new ObjectChecker(options.kubernetes, repository.snapshot);
  }

  async renderAll(): Promise<void> {
    for (const fault of this.#repository.faults) this.#findings.add(findingOf(fault));
    for (const [index, cluster] of this.#clusters.entries()) {
      const state = await renderCluster(this.#repository, cluster, this.#options);
      for (const fault of state.faults) {
        // Faults of the repository are in every state, and concern no cluster in particular.
        if (!this.#repository.faults.includes(fault) && !this.#comesOfName(fault))
          this.#findings.add(findingOf(fault), cluster.name);
      }
      for (const warning of state.warnings)
        this.#findings.add(findingOfWarning(warning, this.#repository), cluster.name);
      for (const { name, state: outcome } of state.generators.values())
        if (outcome !== 'unmatched') this.#active.add(name);
      this.#checker.add(cluster.name, state.objects);
      this.#options.onCluster?.(index + 1);
    }
  }

  /** A cluster that is made up has a name under which nothing can be found. */
  #comesOfName({ message, subject }: Parameters<typeof findingOf>[0]): boolean {
    if (this.#options.known !== 'labels' || !message.startsWith('source.path: there is no')) return false;
    const entry = this.#repository.generators.find(
      (each) => each.state === 'valid' && each.generator.name === subject.origin?.generator,
    );
    return entry?.state === 'valid' && /\bcluster\.name\b/.test(entry.generator.sourcePath);
  }

  /** Folders of clusters that are not registered, and sources that no cluster gets. */
  async renderTheRest(): Promise<void> {
    const registered = new Set(this.#clusters.map(({ name }) => name));
    for (const directory of this.#repository.directories.values()) {
      // The labels of a cluster that is not registered are not known, so no generator can be rendered for it.
      if (registered.has(directory.name)) continue;
      const stranger = { ...strangerNamed(directory.name), server: factsOfVersion(this.#options.kubernetes) };
      const facts = clusterFacts(stranger, directory.settings, this.#options.fleetName);
      for (const fault of directory.faults) this.#findings.add(findingOf(fault));
      this.#addRest(await renderDirectory(directory, facts, this.#context()));
    }
    for (const entry of this.#validEntries()) {
      if (!this.#active.has(entry.generator.name)) this.#addRest(await this.#renderUnused(entry));
    }
  }

  #addRest({ objects, faults }: RenderedSource): void {
    for (const fault of faults) this.#findings.add(findingOf(fault));
    this.#checker.add('', objects);
  }

  /** A source whose path or content depends on the cluster says nothing without one. */
  async #renderUnused({ generator }: ValidEntry): Promise<RenderedSource> {
    const { name, sourcePath: path, render, namespace = 'default' } = generator;
    const isPlain = render.type === 'auto' || render.type === 'plain';
    const isFixed = !path.includes('{') && !namespace.includes('{');
    const node = isFixed && isPlain ? nodeAt(this.#repository.snapshot.tree, path) : undefined;
    if (node === undefined) return { objects: [], faults: [] };
    const data = templateData(clusterFacts(strangerNamed(''), undefined, this.#options.fleetName), {});
    const capabilities = { kubeVersion: undefined, apiVersions: [] };
    const helm = { ...defaultHelm, releaseName: name };
    const source = { generator: name, path, node, type: render.type, namespace, data, capabilities, helm };
    return await renderSource(source, this.#context());
  }

  /** What is there for nothing. */
  async lookAround(): Promise<void> {
    const { known, areAll, fleetName, cache } = this.#options;
    for (const warning of this.#repository.warnings)
      this.#findings.add(findingOfWarning(warning, this.#repository));
    if (known === 'registered' && areAll) this.#findUnregistered();
    const facts = this.#clusters.map((cluster) =>
      clusterFacts(cluster, this.#repository.directories.get(cluster.name)?.settings, fleetName),
    );
    const namesKnown = known === 'registered' && areAll;
    const surveys = await Promise.all(
      this.#validEntries().map((entry) => surveyGenerator(entry, facts, { ...this.#context(), namesKnown })),
    );
    const found = await Promise.all(surveys.map((survey) => unusedParameters(survey, this.#context())));
    for (const finding of found.flat()) this.#findings.add(finding);
    if (areAll && known !== 'folders') {
      const idle = surveys.filter(({ entry }) => !this.#active.has(entry.generator.name));
      const names = new Set(idle.map(({ entry }) => entry.generator.name));
      for (const finding of unmatchedSelectors(surveys, names)) this.#findings.add(finding);
    }
    // What a generator reads that cannot be read itself is not known.
    if (surveys.length < this.#repository.generators.length || this.#repository.faults.length > 0) return;
    for (const finding of await unusedSources(surveys, { snapshot: this.#repository.snapshot, cache }))
      this.#findings.add(finding);
  }

  #findUnregistered(): void {
    const registered = new Set(this.#clusters.map(({ name }) => name));
    for (const name of [...this.#repository.directories.keys()].sort(compareText)) {
      if (registered.has(name)) continue;
      this.#findings.add({
        severity: 'warning',
        code: 'ClusterUnregistered',
        message: 'no cluster of that name is registered',
        place: { file: clusterDirectoryOf(name) },
      });
    }
  }

  async result(): Promise<Finding[]> {
    for (const { finding, cluster } of await this.#checker.findings())
      this.#findings.add(finding, cluster === '' ? undefined : cluster);
    return this.#findings.list(this.#clusters.length);
  }

  #validEntries(): ValidEntry[] {
    return this.#repository.generators.filter((entry) => entry.state === 'valid');
  }

  #context() {
    return contextOf(this.#repository, this.#options);
  }
}

function strangerNamed(name: string): RegisteredCluster {
  return { name, labels: {}, annotations: {} };
}
