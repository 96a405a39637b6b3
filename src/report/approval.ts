import { compareRefs, type ObjectRef } from '../model/object-ref.ts';

import { paintWith, span, toSpans } from './text/styled-text.ts';
import { plural, refSpans } from './text/text-context.ts';

/** What an approval lets through. */
export interface Approval {
  readonly holdId: string;
  readonly cluster: string;
  readonly reason: string;
  readonly objects: readonly ObjectRef[];
}

/** An approval in words, with every object that it covers. */
export function renderApproval(approval: Approval, options: { readonly color: boolean }): string {
  const paint = paintWith(options.color);
  const { holdId, cluster, reason, objects } = approval;
  return [
    paint(toSpans([span('Approved', 'green'), ` ${holdId} in `, span(cluster, 'bold'), `: ${reason}`])),
    ...[...objects].sort(compareRefs).map((ref) => `  ${paint(refSpans(ref))}`),
    `The next sync goes through with ${plural(objects.length, 'object')}.`,
    '',
  ].join('\n');
}
