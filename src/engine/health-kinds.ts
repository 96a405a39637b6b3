import { hasHealth } from '../health/health-of.ts';
import type { ResourceInfo } from '../kube/discovery.ts';
import { groupKindOf } from '../model/object-ref.ts';

/** Which of the kinds are read whole, since how their objects fare is shown and others may wait for it. */
export function healthKinds(kinds: readonly ResourceInfo[]): ReadonlySet<string> {
  return new Set(kinds.map(groupKindOf).filter(hasHealth));
}
