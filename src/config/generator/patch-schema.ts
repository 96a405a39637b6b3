import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { checkedText, labelsSchema, nonEmpty, strict } from '../schema/schema.ts';
import { selectorSchema } from '../schema/selector-schema.ts';
import { anyObject, anyValue } from './any-object.ts';
import type { JsonOperation, Patch, PatchChange, PatchTarget } from './generator.ts';
import { faultOfGlob } from './glob.ts';

const glob = checkedText(faultOfGlob);

const targetSchema = strict({
  apiVersion: nonEmpty.optional(),
  group: z.string().optional(),
  kind: nonEmpty.optional(),
  namespace: glob.optional(),
  name: glob.optional(),
  labels: labelsSchema.optional(),
  labelSelector: selectorSchema.optional(),
}).transform(({ labels, labelSelector, ...names }, context): PatchTarget => {
  if (labels !== undefined && labelSelector !== undefined) {
    context.addIssue({ code: 'custom', message: 'takes labels or labelSelector, not both' });
  }
  const selector =
    labelSelector ?? (labels === undefined ? undefined : { matchLabels: labels, matchExpressions: [] });
  const target = defined({ ...names, labels: selector });
  if (Object.keys(target).length === 0) {
    const message =
      'must name at least one of apiVersion, group, kind, namespace, name, labels, labelSelector';
    context.addIssue({ code: 'custom', message });
  }
  return target;
});

const pointer = checkedText(faultOfPointer);

/** Source: RFC 6901, section 3. */
function faultOfPointer(text: string): string | undefined {
  if (text === '') return 'must not be the whole object; name a field of it';
  if (!text.startsWith('/'))
    return `must begin with "/", as in "/${text.replace(/^\.+/, '').replaceAll('.', '/')}"`;
  return /~(?![01])/.test(text) ? 'has a "~" that is neither "~0" (for "~") nor "~1" (for "/")' : undefined;
}

const withValue = { path: pointer, value: anyValue };
const withFrom = { path: pointer, from: pointer };

const operationSchema: z.ZodType<JsonOperation> = z.discriminatedUnion(
  'op',
  [
    strict({ op: z.literal('add'), ...withValue }),
    strict({ op: z.literal('replace'), ...withValue }),
    strict({ op: z.literal('test'), ...withValue }),
    strict({ op: z.literal('remove'), path: pointer }),
    strict({ op: z.literal('copy'), ...withFrom }),
    strict({ op: z.literal('move'), ...withFrom }).superRefine(({ path, from }, context) => {
      if (!path.startsWith(`${from}/`)) return;
      context.addIssue({ code: 'custom', message: 'nothing can be moved into itself', path: ['path'] });
    }),
  ],
  { error: 'must be one of add, remove, replace, move, copy, test' },
);

const maxOperations = 1_000;

/** A patch: a target, and either a merge or a list of JSON operations. */
export const patchSchema = strict({
  target: targetSchema,
  merge: anyObject.optional(),
  json: z
    .array(operationSchema)
    .min(1, 'must hold at least one operation')
    .max(maxOperations, `must hold at most ${maxOperations} operations`)
    .optional(),
  optional: z.boolean().default(false),
}).transform(({ target, merge, json, optional }, context): Patch => {
  const change = changeOf(merge, json);
  if (change !== undefined) return { target, change, optional };
  context.addIssue({ code: 'custom', message: 'a patch needs either merge or json' });
  return z.NEVER;
});

function changeOf(
  merge: Extract<PatchChange, { kind: 'merge' }>['merge'] | undefined,
  json: readonly JsonOperation[] | undefined,
): PatchChange | undefined {
  if (merge !== undefined) return json === undefined ? { kind: 'merge', merge } : undefined;
  return json === undefined ? undefined : { kind: 'json', operations: json };
}
