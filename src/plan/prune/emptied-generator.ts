import { generatorOf, type PruneGuard } from './guard.ts';

/** A generator that still exists and suddenly gives nothing is more likely a mistake than a wish. */
export const emptiedGenerator: PruneGuard = (candidate, context) => {
  if (generatorOf(candidate, context)?.state !== 'rendered') return undefined;
  if ((context.desiredCounts.get(candidate.generator) ?? 0) > 0) return undefined;
  return {
    action: 'held',
    reason: `generator ${candidate.generator} still exists, but gives nothing any more`,
    group: `emptied/${candidate.generator}`,
  };
};
