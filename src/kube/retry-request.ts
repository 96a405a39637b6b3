import { FleetError } from '../model/fleet-error.ts';
import { valueAt } from '../model/json.ts';
import { backoffMs } from './backoff.ts';
import type { KubeRequest } from './kube-client.ts';

const maxTries = 5;
const retryBackoff = { baseMs: 200, capMs: 5_000 };

/** How long to wait before the next try, or undefined when another would be wrong or pointless. */
export function waitBeforeRetry(
  error: unknown,
  request: KubeRequest,
  { failures, random }: { failures: number; random: () => number },
): number | undefined {
  if (!(error instanceof FleetError) || failures + 1 >= maxTries) return undefined;
  const backoff = backoffMs(failures, { ...retryBackoff, random });
  // Refused before anything was done, so even a POST may be sent again.
  if (error.code === 'RateLimited') return (error.retryAfterMs ?? 0) + backoff;
  return error.code === 'ClusterUnreachable' && isRepeatable(request) ? backoff : undefined;
}

/** Whether doing the request twice is the same as once; a lost connection leaves open whether it was done. */
function isRepeatable(request: KubeRequest): boolean {
  switch (request.method) {
    case 'GET':
      return true;
    case 'PATCH':
      return request.contentType?.startsWith('application/apply-patch') === true;
    case 'DELETE':
      return valueAt(request.body, 'preconditions', 'uid') !== undefined;
    case 'POST':
    case 'PUT':
      return false;
  }
}
