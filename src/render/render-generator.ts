import type { DesiredObject } from '../model/desired.ts';
import { FleetError, toFleetError } from '../model/fleet-error.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { type Choice, chooseOverrides, holds } from './generators/choose-overrides.ts';
import { type Expansion, expandEach } from './generators/expand-each.ts';
import type { Item } from './generators/item.ts';
import { faultsOfIdlePatches } from './generators/idle-patches.ts';
import { renderItem } from './generators/render-item.ts';
import { type ActiveOverride, applyOverrides, type Overridden } from './overrides/apply-overrides.ts';
import type { RenderedSource, SourceContext } from './render-source.ts';
import type { ValidEntry } from './repository/fleet-repository.ts';

/** What a generator whose selector matches gives one cluster. */
export interface RenderedGenerator {
  /** False where there is no item, or its condition holds for none: as if the selector did not match. */
  readonly matched: boolean;
  readonly objects: readonly DesiredObject[];
  readonly faults: readonly FleetError[];
  readonly warnings: readonly string[];
}

const once: Expansion = { items: [], faults: [], warnings: [] };

/** Renders a generator for one cluster, item by item. Clusters that are alike share the very same objects. */
export async function renderGenerator(
  entry: ValidEntry,
  cluster: ClusterFacts,
  context: SourceContext,
): Promise<RenderedGenerator> {
  const { each } = entry.generator;
  const expansion = each === undefined ? once : await expandEach(entry, each, context);
  const items = each === undefined ? [undefined] : expansion.items;
  const parts = await Promise.all(items.map((item) => renderOne(entry, { item, cluster }, context)));
  const matched = parts.filter((part) => part !== undefined);
  const faults = [...expansion.faults, ...shortened(matched.flatMap((part) => part.faults))];
  // What a broken file holds is not known, and a patch may be for that.
  if (expansion.faults.length === 0 && matched.every(({ complete }) => complete))
    faults.push(...faultsOfIdlePatches(entry, matched));
  return {
    matched: matched.length > 0 || faults.length > 0,
    objects: matched.flatMap(({ objects }) => objects),
    faults,
    warnings: [...expansion.warnings, ...new Set(matched.flatMap(({ warnings }) => warnings))],
  };
}

const maxFaults = 100;

/** The first faults, and how many more there are: what is wrong for one item may be wrong for thousands. */
function shortened(faults: readonly FleetError[]): readonly FleetError[] {
  const next = faults[maxFaults];
  if (next === undefined) return faults;
  const message = `and ${faults.length - maxFaults} more faults of this generator`;
  return [...faults.slice(0, maxFaults), new FleetError(next.code, message, next.subject)];
}

/** What one item gives. */
interface ItemPart {
  readonly objects: readonly DesiredObject[];
  readonly faults: readonly FleetError[];
  readonly warnings: readonly string[];
  /** Whether the source was read whole. */
  readonly complete: boolean;
  readonly overrides: readonly ActiveOverride[];
  /** See Overridden. */
  readonly used: ReadonlySet<string>;
}

const nothing = {
  objects: [],
  warnings: [],
  complete: false,
  overrides: [],
  used: new Set<string>(),
} as const;

/** Undefined where the generator's condition does not hold. */
async function renderOne(
  entry: ValidEntry,
  { item, cluster }: { readonly item: Item | undefined; readonly cluster: ClusterFacts },
  context: SourceContext,
): Promise<ItemPart | undefined> {
  const { when } = entry.generator;
  let choice: Choice;
  try {
    choice = chooseOverrides(entry, cluster, item);
    const { data } = choice;
    if (when !== undefined && !holds(entry, when, { data, path: ['spec', 'when'] })) return undefined;
    const source = await renderItem(entry, { data, server: cluster.server }, context);
    const { objects, faults, used } = overrideOnce(source, choice.overrides, entry);
    return {
      objects,
      faults: [...source.faults, ...faults],
      warnings: source.warnings ?? [],
      complete: source.faults.length === 0,
      overrides: choice.overrides,
      used,
    };
  } catch (error) {
    context.signal.throwIfAborted();
    const fault = item === undefined ? toFleetError(error) : aboutItem(toFleetError(error), item);
    return { ...nothing, faults: [fault] };
  }
}

/** The place is in the generator, so the message must say for which item. */
function aboutItem({ code, message, subject, retry, cause }: FleetError, { label }: Item): FleetError {
  return new FleetError(code, `${message} (for ${label})`, { ...subject, retry, cause });
}

const overridden = new WeakMap<RenderedSource, Map<string, Overridden>>();

/** Applied once for each result and set of overrides: clusters that are alike share the result, and so what is made of it. */
function overrideOnce(
  source: RenderedSource,
  overrides: readonly ActiveOverride[],
  entry: ValidEntry,
): Overridden {
  const known = overridden.get(source) ?? new Map<string, Overridden>();
  overridden.set(source, known);
  const key = `${entry.key} ${overrides.map(({ index }) => index).join()}`;
  const result = known.get(key) ?? applyOverrides(source.objects, overrides, entry);
  known.set(key, result);
  return result;
}
