import type { FleetError } from '../model/fleet-error.ts';
import { backoffMs } from '../kube/backoff.ts';

const soon = { baseMs: 250, capMs: 30_000 };
/** For what only a person can mend: a right that is missing, a kind that is not installed. */
const slowMs = 60_000;

/**
 * How long a watch waits before its next try. `failures` counts the tries in a row that did not last, from 0 for the
 * end of one that did; `error` is missing where the server ended the watch as it ends every watch after a while.
 */
export function retryDelayMs(failures: number, random: () => number, error?: FleetError): number {
  if (error?.retry === 'interval' || error?.retry === 'never') return slowMs * (0.5 + random() / 2);
  return (error?.retryAfterMs ?? 0) + backoffMs(failures, { ...soon, random });
}
