import type { ObjectRef } from './object-ref.ts';

/**
 * How a live object fares, beside whether it is as Git wants it. `reason` is for a person: what it waits for, or which
 * part fails and why.
 */
export type Health =
  | { readonly state: 'healthy' }
  | { readonly state: 'progressing' | 'degraded' | 'suspended'; readonly reason: string };

export type HealthState = Health['state'];

/** How the owned objects of one cluster fare whose health is watched: how many there are of each, and what is not well. */
export interface ClusterHealth {
  readonly counts: Readonly<Record<HealthState, number>>;
  /** What is degraded first; not all where there are many. */
  readonly unwell: readonly UnwellObject[];
}

export interface UnwellObject {
  readonly ref: ObjectRef;
  readonly state: Exclude<HealthState, 'healthy'>;
  readonly reason: string;
}

/** Whether there is nothing new to tell. */
export function isSameHealth(a: Health | undefined, b: Health | undefined): boolean {
  return a?.state === b?.state && reasonOf(a) === reasonOf(b);
}

function reasonOf(health: Health | undefined): string | undefined {
  return health === undefined || health.state === 'healthy' ? undefined : health.reason;
}

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
