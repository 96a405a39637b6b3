import { z } from 'zod';

import type { GeneratorSyncPolicy } from '../../model/desired.ts';
import { defaultPruneLimit, type PruneLimit } from '../../model/settings.ts';
import { oneOf, strict } from './schema.ts';

export const driftSchema = oneOf(['correct', 'report', 'ignore']);

/** Parts that are not given take their defaults. */
export const pruneLimitSchema = strict({
  count: z.int().min(0).optional(),
  percent: z.number().min(0).max(100).optional(),
  minimum: z.int().min(0).optional(),
}).transform((limit): PruneLimit => ({
  count: limit.count ?? defaultPruneLimit.count,
  percent: limit.percent ?? defaultPruneLimit.percent,
  minimum: limit.minimum ?? defaultPruneLimit.minimum,
}));

/** `sync` of a Generator or of a cluster's own directory. What it does not set is left to the fleet's policy. */
export const generatorSyncSchema = strict({
  drift: driftSchema.optional(),
  prune: z.boolean().optional(),
  pruneLimit: pruneLimitSchema.optional(),
  deletion: oneOf(['delete', 'orphan']).optional(),
}).transform(({ drift, prune, pruneLimit, deletion }): GeneratorSyncPolicy => ({
  ...(drift === undefined ? {} : { drift }),
  ...(prune === undefined ? {} : { prune }),
  ...(pruneLimit === undefined ? {} : { pruneLimit }),
  ...(deletion === undefined ? {} : { deletion }),
}));
