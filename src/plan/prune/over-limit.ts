import type { OwnedObject } from '../../model/observation.ts';
import type { PruneLimit } from '../../model/settings.ts';
import { generatorOf, type PruneContext, type Verdict } from './guard.ts';

/**
 * Holds deletions that are too many at once, counted for each generator and for the whole cluster.
 * Removing a generator's file, or unlabelling a cluster, is a plain wish to remove all of it: there only the
 * absolute count speaks, since the share would always be the whole.
 * @param doomed those that no other guard keeps.
 */
export function overLimit(doomed: readonly OwnedObject[], context: PruneContext): Map<OwnedObject, Verdict> {
  const verdicts = new Map<OwnedObject, Verdict>();
  const ownedCounts = new Map<string, number>();
  for (const { generator } of context.owned)
    ownedCounts.set(generator, (ownedCounts.get(generator) ?? 0) + 1);
  for (const [generator, objects] of Map.groupBy(doomed, (object) => object.generator)) {
    const limit = context.desired.generators.get(generator)?.sync.pruneLimit ?? context.policy.pruneLimit;
    const excess = exceeded(objects, { owned: ownedCounts.get(generator) ?? 0, limit, context });
    if (excess === undefined) continue;
    for (const object of objects) {
      verdicts.set(object, {
        action: 'held',
        reason: `${excess} of generator ${generator} would be deleted`,
        group: `limit/${generator}`,
      });
    }
  }
  const rest = doomed.filter((object) => !verdicts.has(object));
  const excess = exceeded(rest, { owned: context.owned.length, limit: context.policy.pruneLimit, context });
  if (excess !== undefined) {
    for (const object of rest)
      verdicts.set(object, {
        action: 'held',
        reason: `${excess} of the cluster would be deleted`,
        group: 'limit/cluster',
      });
  }
  return verdicts;
}

interface Scope {
  readonly owned: number;
  readonly limit: PruneLimit;
  readonly context: PruneContext;
}

function exceeded(objects: readonly OwnedObject[], { owned, limit, context }: Scope): string | undefined {
  if (objects.length > limit.count) return `${objects.length} objects (more than ${limit.count})`;
  const partial = objects.filter((object) => !isPlainWish(object, context)).length;
  if (partial >= limit.minimum && partial * 100 > limit.percent * owned) {
    return `${partial} of ${owned} objects (more than ${limit.percent} %)`;
  }
  return undefined;
}

/** Nobody can have wished away what does not tell its generator any more. */
function isPlainWish(object: OwnedObject, context: PruneContext): boolean {
  return object.generator !== '' && generatorOf(object, context)?.state !== 'rendered';
}
