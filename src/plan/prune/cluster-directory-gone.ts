import { clusterDirectoryOf } from '../../model/origin.ts';
import { generatorOf, type PruneGuard } from './guard.ts';

/** A whole cluster directory that vanished is held: a rename or a bad merge looks just like that. */
export const clusterDirectoryGone: PruneGuard = (candidate, context) => {
  const directory = clusterDirectoryOf(context.cluster);
  if (candidate.generator !== directory || generatorOf(candidate, context) !== undefined) return undefined;
  return {
    action: 'held',
    reason: `the whole directory ${directory} is gone from Git`,
    group: `directory/${directory}`,
  };
};
