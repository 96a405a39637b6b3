import { degraded, type Health, healthy, progressing } from '../../model/health.ts';
import type { JsonObject } from '../../model/json.ts';
import { conditionOf, explain } from '../conditions.ts';
import { numberAt } from '../numbers.ts';

/** ReplicaSet and ReplicationController. */
export function replicaSetHealth(live: JsonObject): Health {
  const failure = conditionOf(live, 'ReplicaFailure');
  if (failure?.status === 'True') return degraded(explain(failure));
  const wanted = numberAt(live, ['spec', 'replicas'], 1);
  const available = numberAt(live, ['status', 'availableReplicas']);
  const total = numberAt(live, ['status', 'replicas']);
  if (available < wanted) return progressing(`${available} of ${wanted} replicas are available`);
  return total > wanted ? progressing(`${total - wanted} replicas too many are still running`) : healthy;
}
