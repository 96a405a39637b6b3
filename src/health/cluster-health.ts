import type { ClusterHealth, HealthState, UnwellObject } from '../model/health.ts';
import type { OwnedObject } from '../model/observation.ts';
import { compareRefs } from '../model/object-ref.ts';

/** So many objects that are not well are told of one cluster: enough to see what is wrong, whatever its size. */
export const mostUnwell = 20;

const urgency: Readonly<Record<UnwellObject['state'], number>> = {
  degraded: 0,
  progressing: 1,
  suspended: 2,
};

/** How the objects fare whose health is known; undefined where that is known of none. */
export function clusterHealth(objects: Iterable<OwnedObject>): ClusterHealth | undefined {
  const counts: Record<HealthState, number> = { healthy: 0, progressing: 0, degraded: 0, suspended: 0 };
  const unwell: UnwellObject[] = [];
  for (const { ref, health } of objects) {
    if (health === undefined) continue;
    counts[health.state] += 1;
    if (health.state !== 'healthy') unwell.push({ ref, state: health.state, reason: health.reason });
  }
  if (Object.values(counts).every((count) => count === 0)) return undefined;
  unwell.sort((a, b) => urgency[a.state] - urgency[b.state] || compareRefs(a.ref, b.ref));
  return { counts, unwell: unwell.slice(0, mostUnwell) };
}
