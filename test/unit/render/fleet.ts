import type { DesiredState } from '../../../src/model/desired.ts';
import type { Labels } from '../../../src/model/selector.ts';
import { createRenderCache, type RenderCache } from '../../../src/render/render-cache.ts';
import { renderCluster } from '../../../src/render/render-cluster.ts';
import { loadFleetRepository } from '../../../src/render/repository/load-fleet-repository.ts';
import { type Content, memorySnapshot } from './memory-snapshot.ts';

export type Files = Readonly<Record<string, Content>>;

/** A ConfigMap's manifest; `more` are further lines of it. */
export function configMap(name: string, more = 'data: {a: "1"}'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}\n`;
}

/** A generator's file. `spec` is YAML in flow style without its braces; by default for every cluster, from apps/<name>. */
export function generator(name: string, spec = `clusterSelector: {}, source: {path: apps/${name}}`): string {
  return `apiVersion: fleetwright.dev/v1alpha1\nkind: Generator\nmetadata: {name: ${name}}\nspec: {${spec}}\n`;
}

export function clusterFile(name: string, labels: string): string {
  return `apiVersion: fleetwright.dev/v1alpha1\nkind: Cluster\nmetadata: {name: ${name}, labels: ${labels}}\n`;
}

/** What the files give a cluster. */
export async function render(
  files: Files,
  labels: Labels = {},
  options: { readonly name?: string; readonly cache?: RenderCache } = {},
): Promise<DesiredState> {
  const cache = options.cache ?? createRenderCache();
  const repository = await loadFleetRepository(memorySnapshot(files), cache);
  return await renderCluster(
    repository,
    { name: options.name ?? 'east', labels, annotations: {} },
    { fleetName: 'acme', cache, signal: AbortSignal.timeout(20_000) },
  );
}

/** 'ConfigMap/a' for each object. */
export function namesOf({ objects }: Pick<DesiredState, 'objects'>): string[] {
  return objects.map(({ ref }) => `${ref.kind}/${ref.name}`);
}

export function faultsOf({ faults }: Pick<DesiredState, 'faults'>): string[] {
  return faults.map((fault) => fault.describe());
}

export function statesOf({ generators }: Pick<DesiredState, 'generators'>): Record<string, string> {
  return Object.fromEntries([...generators].map(([name, { state }]) => [name, state]));
}

/** Freezes a value and all that is in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
