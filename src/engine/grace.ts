import type { DesiredState } from '../model/desired.ts';
import type { StateStore } from '../store/state-store.ts';
import type { SyncTask } from './cluster-state.ts';

type GraceTask = Pick<SyncTask, 'store' | 'clock' | 'desired' | 'labelGraceMs' | 'mode'> & {
  readonly state: Pick<SyncTask['state'], 'name'>;
};

/**
 * When the removals of a generator that stopped matching may be done, in ms since the epoch. The time is counted from
 * the first sync that noticed, and kept across restarts; a generator that matches again starts anew.
 */
export function graceEnds({
  state,
  store,
  clock,
  desired,
  labelGraceMs,
  mode,
}: GraceTask): (generator: string) => number {
  const known = store.unmatched(state.name);
  if (mode === 'apply') {
    for (const generator of known.keys()) {
      const now = desired.generators.get(generator)?.state;
      // What failed to render, or is hidden by a fault, may or may not match: the count goes on.
      if (now === 'rendered' || (now !== 'unmatched' && desired.faults.length === 0))
        store.clearUnmatched(state.name, generator);
    }
  }
  return (generator) => {
    const since = known.get(generator);
    if (since === undefined && mode === 'apply') store.markUnmatched(state.name, generator, clock.now());
    if (since === undefined) known.set(generator, clock.now());
    // Time goes on while a plan is made: even a grace of nothing would end behind the plan's own time.
    return labelGraceMs === 0 ? 0 : (known.get(generator) ?? clock.now()) + labelGraceMs;
  };
}

interface GraceOptions {
  readonly cluster: { readonly name: string };
  readonly store: StateStore;
  readonly settings: { readonly labelGraceMs: number };
  /** When the last sync began, in ms since the epoch: what ended before that has been seen to. */
  readonly seenToAt: number;
}

/** When the next removal that waits may be done, which may be past; undefined when none waits. */
export function nextGraceEnd(
  { cluster, store, settings, seenToAt }: GraceOptions,
  desired: DesiredState,
): number | undefined {
  const ends = [...store.unmatched(cluster.name)]
    .filter(([generator]) => desired.generators.get(generator)?.state === 'unmatched')
    .map(([, since]) => since + settings.labelGraceMs)
    .filter((end) => end >= seenToAt);
  return ends.length === 0 ? undefined : Math.min(...ends);
}
