import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { checkedText, strict } from '../schema/schema.ts';
import { anyObject } from './any-object.ts';
import type { Each, PathPatterns } from './generator.ts';
import { faultOfPathGlob } from './glob.ts';

/** Items that one generator may have, of all kinds together. */
export const maxItems = 10_000;

const glob = checkedText(faultOfPathGlob);

const patternsSchema = strict({
  path: z.union([glob, z.array(glob).min(1, 'must name at least one glob')]),
  exclude: z.array(glob).default([]),
}).transform(({ path, exclude }): PathPatterns => ({
  include: typeof path === 'string' ? [path] : path,
  exclude,
}));

/** `each`: a list, folders and files, of which several multiply. */
export const eachSchema = strict({
  list: z.array(anyObject).max(maxItems, `must hold at most ${maxItems} items`).optional(),
  directories: patternsSchema.optional(),
  files: patternsSchema.optional(),
}).transform((each, context): Each => {
  const given = defined(each);
  if (Object.keys(given).length === 0) {
    context.addIssue({ code: 'custom', message: 'needs at least one of list, directories, files' });
  }
  return given;
});
