import { type Health, healthy, suspended } from '../../model/health.ts';
import { type JsonObject, valueAt } from '../../model/json.ts';

/** A CronJob does its work by existing; how its Jobs fare is theirs to tell. */
export function cronJobHealth(live: JsonObject): Health {
  return valueAt(live, 'spec', 'suspend') === true ? suspended('spec.suspend is set') : healthy;
}
