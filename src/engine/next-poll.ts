import type { Clock } from '../kube/clock.ts';
import type { FleetSettings } from '../model/settings.ts';

interface PollOptions {
  readonly settings: FleetSettings;
  readonly clock: Clock;
  readonly random: () => number;
}

const longestPauseMs = 300_000;

/**
 * When Git is asked next, in ms since the epoch; undefined when the schedule alone says. The interval comes with a tenth of jitter, so that
 * many engines do not ask at once. After failures the pause doubles, up to five minutes or the interval itself.
 */
export function nextPollAt({ settings, clock, random }: PollOptions, failures: number): number | undefined {
  const { intervalMs, schedule } = settings.source;
  const now = clock.now();
  if (failures === 0 && schedule !== undefined) return undefined;
  const pause =
    failures === 0
      ? intervalMs
      : Math.min(Math.max(longestPauseMs, intervalMs), intervalMs * 2 ** (failures - 1));
  return now + pause * (0.95 + random() / 10);
}
