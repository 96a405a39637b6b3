/**
 * How a live object fares, beside whether it is as Git wants it. `reason` is for a person: what it waits for, or which
 * part fails and why.
 */
export type Health =
  | { readonly state: 'healthy' }
  | { readonly state: 'progressing' | 'degraded' | 'suspended'; readonly reason: string };

export type HealthState = Health['state'];

export const healthy: Health = { state: 'healthy' };

/** On its way, and expected to arrive by itself. */
export function progressing(reason: string): Health {
  return { state: 'progressing', reason };
}

/** Failed, or stuck until somebody does something. */
export function degraded(reason: string): Health {
  return { state: 'degraded', reason };
}

/** Stopped by wish. */
export function suspended(reason: string): Health {
  return { state: 'suspended', reason };
}
