import type { PruneGuard } from './guard.ts';

/**
 * Git knows none of the generators and directories that brought what is here. So it looks with another repository, a
 * branch without content or a wrong path; to remove one generator, even the only one, is a plain wish all the same.
 */
export const unknownRevision: PruneGuard = (_, { owned, desired }) => {
  const origins = new Set(owned.map(({ generator }) => generator).filter((generator) => generator !== ''));
  if (origins.size < 2 || [...origins].some((generator) => desired.generators.has(generator)))
    return undefined;
  return {
    action: 'held',
    reason: `Git knows none of the ${origins.size} generators that brought what is here: is it the right repository, ref and path?`,
    group: 'unknown-revision',
  };
};
