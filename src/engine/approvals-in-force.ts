import type { DecideContext } from '../plan/decide/decision.ts';
import type { GivenApproval } from '../store/approvals.ts';
import type { SyncTask } from './cluster-state.ts';

/** The approvals of one cluster as one plan asks for them. */
export interface ApprovalsInForce {
  readonly isApproved: DecideContext['isApproved'];
  /** Keeps what the plan releases, so that an interruption leaves the rest of it approved. */
  readonly release: () => void;
  /** Ends those that the plan did not ask for: what they were for is done, or gone from what is held. */
  readonly endUnused: () => void;
}

/** Reads what is approved for the task's cluster. */
export function approvalsInForce({
  state,
  store,
  clock,
}: Pick<SyncTask, 'state' | 'store' | 'clock'>): ApprovalsInForce {
  const given = store
    .approvals(state.name)
    .map((approval) => ({ ...approval, keys: new Set(approval.covers) }));
  const used = new Set<string>();
  const released = new Map<string, readonly string[]>();
  const answers = new Map<string, boolean>();
  const ask = (holdId: string, members: readonly string[]): boolean => {
    const approval = given.find((candidate) => candidate.holdId === holdId) ?? given.find(coversAll(members));
    if (approval === undefined) return false;
    used.add(approval.holdId);
    if (approval.holdId === holdId) released.set(holdId, members);
    return true;
  };
  return {
    isApproved(holdId, members) {
      const answer = answers.get(holdId) ?? ask(holdId, members);
      answers.set(holdId, answer);
      return answer;
    },
    release() {
      for (const [holdId, members] of released) store.coverApproval(holdId, members);
    },
    endUnused() {
      const at = new Date(clock.now()).toISOString();
      for (const { holdId } of given) if (!used.has(holdId)) store.endApproval(holdId, at);
    },
  };
}

/** An object that is not in the approved set, or has another uid, needs another approval; so does an empty set. */
function coversAll(members: readonly string[]) {
  return ({ keys }: GivenApproval & { readonly keys: ReadonlySet<string> }): boolean =>
    members.length > 0 && members.every((member) => keys.has(member));
}
