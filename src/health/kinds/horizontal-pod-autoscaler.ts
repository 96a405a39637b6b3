import { degraded, type Health, healthy, progressing } from '../../model/health.ts';
import type { JsonObject } from '../../model/json.ts';
import { conditionOf, explain } from '../conditions.ts';

/** Source: autoscaling/v2 HorizontalPodAutoscalerConditionType. */
export function horizontalPodAutoscalerHealth(live: JsonObject): Health {
  const able = conditionOf(live, 'AbleToScale');
  const active = conditionOf(live, 'ScalingActive');
  if (able?.status === 'False') return degraded(explain(able));
  // A target of 0 replicas turns scaling off: a wish, and no fault.
  if (active?.status === 'False' && active.reason !== 'ScalingDisabled') return degraded(explain(active));
  return able === undefined ? progressing('its target has not been looked at yet') : healthy;
}
