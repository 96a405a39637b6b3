import type { Clock } from '../kube/clock.ts';
import { type Change, isWaiting } from '../model/change.ts';
import { toFleetError } from '../model/fleet-error.ts';
import { refKey } from '../model/object-ref.ts';
import type { ClusterSession, SessionListeners } from './cluster-session.ts';
import type { SyncOutcome } from './sync-cluster.ts';
import { WakeUp } from './wake-up.ts';

export interface UntilReadyOptions {
  readonly clock: Clock;
  /** In ms since the epoch. */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  /** Watches the cluster. */
  readonly open: (listeners: SessionListeners) => Promise<ClusterSession>;
  readonly sync: (session: ClusterSession) => Promise<SyncOutcome>;
}

/** Whether anything waits for what it depends on. */
export function hasWaiting({ changes }: Pick<SyncOutcome, 'changes'>): boolean {
  return changes.some(isWaiting);
}

/**
 * Goes on after a pass that left objects waiting: watches the cluster, and syncs again when it moves, until nothing
 * waits or the deadline is over. What had been done stays in the outcome, whatever comes.
 */
export async function syncUntilReady(
  first: SyncOutcome,
  { clock, deadlineAt, signal, open, sync }: UntilReadyOptions,
): Promise<SyncOutcome> {
  const bell = new WakeUp(clock);
  const ring = (): void => {
    bell.ring();
  };
  let outcome = first;
  let session: ClusterSession | undefined;
  try {
    session = await open({ onMove: ring, onDefinitions: ring, onHealth: noop, onContact: noop });
    for (;;) {
      outcome = together(outcome, await sync(session));
      if (!hasWaiting(outcome) || clock.now() >= deadlineAt) return outcome;
      await bell.wait(deadlineAt, signal);
    }
  } catch (thrown) {
    signal.throwIfAborted();
    return { ...outcome, errors: [...outcome.errors, toFleetError(thrown)] };
  } finally {
    await session?.close();
  }
}

function noop(): void {
  // Nobody asks.
}

/** What a later pass found unchanged is as the earlier one made it. */
function together(before: SyncOutcome, after: SyncOutcome): SyncOutcome {
  const done = new Map(before.changes.filter(isDone).map((change) => [refKey(change.ref), change]));
  const changes = after.changes.map((change) =>
    change.action === 'unchanged' ? (done.get(refKey(change.ref)) ?? change) : change,
  );
  const told = new Set(changes.map(({ ref }) => refKey(ref)));
  const gone = [...done].flatMap(([key, change]) => (told.has(key) ? [] : [change]));
  const corrected = before.drifts.filter(({ action }) => action === 'corrected');
  return { ...after, changes: [...changes, ...gone], drifts: [...corrected, ...after.drifts] };
}

function isDone({ action }: Change): boolean {
  return action === 'create' || action === 'configure' || action === 'delete';
}
