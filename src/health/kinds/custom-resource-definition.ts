import { degraded, type Health, healthy, progressing } from '../../model/health.ts';
import type { JsonObject } from '../../model/json.ts';
import { conditionOf, explain, isTrue } from '../conditions.ts';

/** Source: apiextensions/v1 CustomResourceDefinitionConditionType. */
export function customResourceDefinitionHealth(live: JsonObject): Health {
  const names = conditionOf(live, 'NamesAccepted');
  if (names?.status === 'False') return degraded(explain(names));
  const schema = conditionOf(live, 'NonStructuralSchema');
  if (schema?.status === 'True') return degraded(explain(schema));
  return isTrue(live, 'Established') ? healthy : progressing('it is not served yet');
}
