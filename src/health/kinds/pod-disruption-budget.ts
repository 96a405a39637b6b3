import { degraded, type Health, healthy, progressing } from '../../model/health.ts';
import type { JsonObject } from '../../model/json.ts';
import { conditionOf, explain } from '../conditions.ts';
import { numberAt } from '../numbers.ts';

/** Source: policy/v1 PodDisruptionBudgetStatus. */
export function podDisruptionBudgetHealth(live: JsonObject): Health {
  const allowed = conditionOf(live, 'DisruptionAllowed');
  if (allowed?.reason === 'SyncFailed') return degraded(explain(allowed));
  const current = numberAt(live, ['status', 'currentHealthy']);
  const wanted = numberAt(live, ['status', 'desiredHealthy']);
  return current < wanted ? progressing(`${current} of ${wanted} pods that it wants are healthy`) : healthy;
}
