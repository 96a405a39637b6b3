import { parse } from '@bufbuild/cel';

import { checkedText } from '../schema/schema.ts';

/** Characters of an expression. With the limits on evaluation this bounds what a condition may cost. */
const maxLength = 1_024;

/** A CEL expression, so far as its syntax goes. */
export const conditionSchema = checkedText((text) => {
  if (text.trim() === '') return 'must not be empty';
  if (text.length > maxLength) return `must be no longer than ${maxLength} characters`;
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return `is no CEL expression: ${error instanceof Error ? error.message : String(error)}`;
  }
});
