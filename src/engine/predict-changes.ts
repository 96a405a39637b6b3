import type { Change } from '../model/change.ts';
import type { Observation } from '../model/observation.ts';
import type { ClusterPlan, PlannedWrite } from '../model/plan.ts';
import { fieldDifferences } from '../plan/field-differences.ts';
import { droppedFields } from '../plan/fields/dropped-fields.ts';

interface PredictOptions {
  readonly observations: ReadonlyMap<string, Observation>;
  readonly maskKey: string;
}

/** What each planned write would change, from the server's dry-run. Pure. */
export function predictChanges(plan: ClusterPlan, options: PredictOptions): Change[] {
  return plan.stages.flat().map((write) => predict(write, options));
}

function predict(write: PlannedWrite, { observations, maskKey }: PredictOptions): Change {
  if (write.action === 'delete') {
    const { owned, origin, reason, orphan } = write;
    return { action: orphan === true ? 'configure' : 'delete', ref: owned.ref, origin, fields: [], reason };
  }
  const { ref, origin, key } = write.object;
  if (write.action === 'create')
    return { action: 'create', ref, origin, fields: [], ...reasonOf(write.reason) };
  const observation = observations.get(key);
  const merged = observation?.state === 'present' ? observation.merged : undefined;
  const fields =
    merged === undefined ? [] : fieldDifferences(write.live, merged, { ...write.object, maskKey });
  const stays = merged === undefined ? undefined : droppedFields(write.live, merged, write.object);
  return { action: 'configure', ref, origin, fields, ...reasonOf(write.reason, stays) };
}

function reasonOf(...parts: readonly (string | undefined)[]): { reason?: string } {
  const reason = parts.filter((part) => part !== undefined).join('; ');
  return reason === '' ? {} : { reason };
}
