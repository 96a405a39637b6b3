import { z } from 'zod';

import type { LabelRequirement, LabelSelector } from '../../model/selector.ts';
import { faultOfLabelKey, faultOfLabelValue } from './label-syntax.ts';
import { checkedText, labelsSchema, oneOf, strict } from './schema.ts';

const requirementSchema = strict({
  key: checkedText(faultOfLabelKey),
  operator: oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist']),
  values: z.array(checkedText(faultOfLabelValue)).optional(),
}).transform(({ key, operator, values = [] }, context): LabelRequirement => {
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues && values.length === 0) {
    context.addIssue({ code: 'custom', message: `${operator} needs at least one value`, path: ['values'] });
  }
  if (!takesValues && values.length > 0) {
    context.addIssue({ code: 'custom', message: `${operator} takes no values`, path: ['values'] });
  }
  return takesValues ? { key, operator, values } : { key, operator };
});

/**
 * A label selector with the rules that Kubernetes sets: In and NotIn need values, Exists and DoesNotExist have none.
 * Source: k8s.io/apimachinery pkg/apis/meta/v1/validation, ValidateLabelSelector.
 */
export const selectorSchema = strict({
  matchLabels: labelsSchema.optional(),
  matchExpressions: z.array(requirementSchema).optional(),
}).transform(({ matchLabels = {}, matchExpressions = [] }): LabelSelector => ({
  matchLabels,
  matchExpressions,
}));
