import type { ClusterHealth, HealthState, UnwellObject } from '../model/health.ts';
import { formatRef } from '../model/object-ref.ts';

/** From what needs a person to what needs nothing. */
const order: readonly HealthState[] = ['degraded', 'progressing', 'suspended', 'healthy'];

/** '1 degraded, 12 healthy'. */
export function healthCounts({ counts }: ClusterHealth): string {
  return order.flatMap((state) => (counts[state] === 0 ? [] : [`${counts[state]} ${state}`])).join(', ');
}

/** 'Deployment/web in shop is progressing: 1 of 2 replicas are available'. */
export function unwellText({ ref, state, reason }: UnwellObject): string {
  return `${formatRef(ref)} is ${state}: ${reason}`;
}

/** How many are not well beside those that are told of. */
export function unwellLeft({ counts, unwell }: ClusterHealth): number {
  return counts.degraded + counts.progressing + counts.suspended - unwell.length;
}
