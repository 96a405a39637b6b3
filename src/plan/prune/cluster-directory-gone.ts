import { clusterDirectoryOf, isClusterDirectory } from '../../model/origin.ts';
import { generatorOf, type PruneGuard } from './guard.ts';

/**
 * A whole cluster directory that vanished is held: a rename or a bad merge looks just like that. So is what came from
 * the directory of another name, which the cluster bore before.
 */
export const clusterDirectoryGone: PruneGuard = (candidate, context) => {
  const directory = candidate.generator;
  if (!isClusterDirectory(directory) || generatorOf(candidate, context) !== undefined) return undefined;
  const reason =
    directory === clusterDirectoryOf(context.cluster)
      ? `the whole directory ${directory} is gone from Git`
      : `it came from ${directory}, and this cluster is ${context.cluster}`;
  return { action: 'held', reason, group: `directory/${directory}` };
};
