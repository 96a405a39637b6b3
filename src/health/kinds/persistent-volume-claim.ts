import { degraded, type Health, healthy, progressing } from '../../model/health.ts';
import { type JsonObject, stringAt } from '../../model/json.ts';

/** A claim may stay Pending until its first consumer is scheduled: a wish of its storage class, and no fault. */
export function persistentVolumeClaimHealth(live: JsonObject): Health {
  const phase = stringAt(live, 'status', 'phase') ?? 'Pending';
  if (phase === 'Bound') return healthy;
  if (phase === 'Lost') return degraded(`its volume ${stringAt(live, 'spec', 'volumeName') ?? ''} is lost`);
  const storageClass = stringAt(live, 'spec', 'storageClassName');
  return progressing(
    `no volume is bound yet${storageClass === undefined ? '' : `; storage class ${storageClass}`}`,
  );
}
