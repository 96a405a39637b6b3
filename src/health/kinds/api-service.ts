import { degraded, type Health, healthy, progressing } from '../../model/health.ts';
import type { JsonObject } from '../../model/json.ts';
import { conditionOf, explain } from '../conditions.ts';

/** Source: apiregistration/v1 APIServiceConditionType. */
export function apiServiceHealth(live: JsonObject): Health {
  const available = conditionOf(live, 'Available');
  if (available === undefined) return progressing('its service has not been asked yet');
  return available.status === 'True' ? healthy : degraded(explain(available));
}
