import { degraded, type Health, healthy, progressing, suspended } from '../../model/health.ts';
import { type JsonObject, valueAt } from '../../model/json.ts';
import { conditionOf, explain, isTrue } from '../conditions.ts';
import { numberAt } from '../numbers.ts';

/** A Job is healthy once it is complete. Source: batch/v1 JobStatus. */
export function jobHealth(live: JsonObject): Health {
  const failure = [conditionOf(live, 'Failed'), conditionOf(live, 'FailureTarget')].find(
    (condition) => condition?.status === 'True',
  );
  if (failure !== undefined) return degraded(explain(failure));
  if (isTrue(live, 'Complete')) return healthy;
  if (valueAt(live, 'spec', 'suspend') === true) return suspended('spec.suspend is set');
  const succeeded = numberAt(live, ['status', 'succeeded']);
  const failed = numberAt(live, ['status', 'failed']);
  const wanted = numberAt(live, ['spec', 'completions'], 1);
  return progressing(`${succeeded} of ${wanted} completions${failed > 0 ? `, ${failed} failed pods` : ''}`);
}
