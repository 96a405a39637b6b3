import { generatorOf, type PruneGuard } from './guard.ts';

/** A cluster that stops matching a generator keeps its objects for a while: labels are easily mistyped. */
export const labelGrace: PruneGuard = (candidate, context) => {
  if (generatorOf(candidate, context)?.state !== 'unmatched') return undefined;
  const end = context.graceEndsAt(candidate.generator);
  if (context.now >= end) return undefined;
  return {
    action: 'pending',
    reason: `the cluster's labels no longer match generator ${candidate.generator}; removed after ${new Date(end).toISOString()}`,
  };
};
