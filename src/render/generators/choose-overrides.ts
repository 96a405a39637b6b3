import { defined } from '../../model/defined.ts';
import type { JsonObject } from '../../model/json.ts';
import { matchesSelector } from '../../model/selector.ts';
import { type ClusterFacts, templateData } from '../cluster-facts.ts';
import type { TemplateData } from '../templates/template-data.ts';
import type { ActiveOverride } from '../overrides/apply-overrides.ts';
import { mergePatch } from '../overrides/merge-patch.ts';
import type { ValidEntry } from '../repository/fleet-repository.ts';
import { evaluateCondition } from './condition.ts';
import { generatorFault, type GeneratorPath } from './generator-fault.ts';
import type { Item } from './item.ts';

/** What holds for one cluster, or for one item in it. */
export interface Choice {
  /** In the generator's order. */
  readonly overrides: readonly ActiveOverride[];
  readonly data: TemplateData;
}

/**
 * The overrides that apply, and the parameters with theirs merged in: the generator's own, then those of each override
 * in order, then the item's keys. The condition of an override sees the parameters as they are before it.
 * @throws FleetError where a condition fails, at its place.
 */
export function chooseOverrides(entry: ValidEntry, cluster: ClusterFacts, item: Item | undefined): Choice {
  const overrides: ActiveOverride[] = [];
  const data = (): TemplateData => templateData(cluster, parametersOf(entry, overrides, item), item?.value);
  for (const [index, override] of entry.generator.overrides.entries()) {
    if (!matchesSelector(override.clusterSelector, cluster.labels)) continue;
    const path = ['spec', 'overrides', index, 'when'];
    if (override.when === undefined || holds(entry, override.when, { data: data(), path }))
      overrides.push({ index, override });
  }
  return { overrides, data: data() };
}

/**
 * Whether a condition of the generator holds.
 * @throws FleetError where it fails, at its place.
 */
export function holds(
  entry: ValidEntry,
  when: string,
  { data, path }: { readonly data: TemplateData; readonly path: GeneratorPath },
): boolean {
  const outcome = evaluateCondition(when, data);
  if (outcome.ok) return outcome.holds;
  const { message, code } = outcome;
  throw generatorFault(entry, `when: ${message}`, defined({ path, code }));
}

const merged = new WeakMap<object, Map<string, JsonObject>>();

/** Merged once for each set of overrides, since most clusters share a few of these. */
function parametersOf(
  entry: ValidEntry,
  overrides: readonly ActiveOverride[],
  item: Item | undefined,
): JsonObject {
  const known = merged.get(item ?? entry) ?? new Map<string, JsonObject>();
  merged.set(item ?? entry, known);
  const key = overrides.map(({ index }) => index).join();
  const parameters =
    known.get(key) ??
    [...overrides.map(({ override }) => override.parameters), item?.own ?? {}]
      .filter((more) => Object.keys(more).length > 0)
      .reduce(mergePatch, entry.generator.parameters);
  known.set(key, parameters);
  return parameters;
}
