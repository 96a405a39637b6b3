import type { GitCluster } from '../config/cluster-document.ts';
import type { JsonObject } from '../model/json.ts';
import { compareText } from '../model/object-ref.ts';
import { clusterDirectoryOf } from '../model/origin.ts';
import type { Labels } from '../model/selector.ts';
import type { ServerFacts } from '../model/server-facts.ts';
import type { TemplateData } from './templates/template-data.ts';

/** A cluster as the registry has it. */
export interface RegisteredCluster {
  readonly name: string;
  readonly labels: Labels;
  readonly annotations: Labels;
  /** What its API server said last; missing until it was reached for the first time. */
  readonly server?: ServerFacts;
}

/** The cluster that something is rendered for, with Git's labels merged in. */
export interface ClusterFacts extends RegisteredCluster {
  readonly fleetName: string;
}

/** Joins what the registry and cluster.yaml say; where both set a key Git wins. */
export function clusterFacts(
  cluster: RegisteredCluster,
  settings: GitCluster | undefined,
  fleetName: string,
): ClusterFacts {
  return {
    ...cluster,
    labels: { ...cluster.labels, ...settings?.labels },
    annotations: { ...cluster.annotations, ...settings?.annotations },
    fleetName,
  };
}

/** What templates and conditions may speak of. */
export function templateData(
  { name, labels, annotations, server, fleetName }: ClusterFacts,
  params: JsonObject,
  item?: JsonObject,
): TemplateData {
  const known =
    server === undefined
      ? {}
      : { version: server.version, kubeVersion: server.kubeVersion, apiVersions: server.apiVersions };
  return {
    cluster: { name, labels, annotations, ...known },
    fleet: { name: fleetName },
    params,
    ...(item === undefined ? {} : { item }),
  };
}

/** Labels and annotations that Git sets to something else than the registry. */
export function overriddenLabels(cluster: RegisteredCluster, settings: GitCluster): string[] {
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
