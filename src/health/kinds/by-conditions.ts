import { degraded, type Health, healthy, progressing } from '../../model/health.ts';
import type { JsonObject } from '../../model/json.ts';
import { type Condition, conditionOf, explain } from '../conditions.ts';

/**
 * Kinds without a rule of their own, custom resources above all, by the conditions that controllers agree on. One that
 * has none of them is healthy by being there.
 * Source: sigs.k8s.io/cli-utils pkg/kstatus, generic conditions.
 */
export function healthByConditions(live: JsonObject): Health {
  const [stalled, reconciling, ready] = ['Stalled', 'Reconciling', 'Ready'].map((type) =>
    conditionOf(live, type),
  );
  if (holds(stalled)) return degraded(explain(stalled));
  if (holds(reconciling)) return progressing(explain(reconciling));
  return ready === undefined || ready.status === 'True' ? healthy : progressing(explain(ready));
}

function holds(condition: Condition | undefined): condition is Condition {
  return condition?.status === 'True';
}
