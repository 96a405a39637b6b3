import type { Change } from '../../model/change.ts';
import type { OwnedObject } from '../../model/observation.ts';
import { refKey } from '../../model/object-ref.ts';
import type { Origin } from '../../model/origin.ts';
import type { PlannedWrite } from '../../model/plan.ts';
import type { DecideContext } from '../decide/decision.ts';
import { holdId } from '../hold-id.ts';
import { cascadeToOthers } from './cascade-to-others.ts';
import { clusterDirectoryGone } from './cluster-directory-gone.ts';
import { emptiedGenerator } from './emptied-generator.ts';
import { generatorOf, type PruneContext, type PruneGuard, type Verdict } from './guard.ts';
import { incompleteDesired } from './incomplete-desired.ts';
import { isOrphan } from './is-orphan.ts';
import { labelGrace } from './label-grace.ts';
import { neededByCluster } from './needed-by-cluster.ts';
import { optedOut } from './opted-out.ts';
import { overLimit } from './over-limit.ts';
import { unknownRevision } from './unknown-revision.ts';

/** Asked in this order; the first objection counts. To add a reason, write a file like these and name it here. */
const guards: readonly PruneGuard[] = [
  incompleteDesired,
  optedOut,
  neededByCluster,
  labelGrace,
  unknownRevision,
  emptiedGenerator,
  clusterDirectoryGone,
];

export interface PrunePlan {
  readonly deletions: readonly Extract<PlannedWrite, { action: 'delete' }>[];
  readonly kept: readonly Change[];
}

/** Which owned objects that Git no longer has are deleted, and why the others are kept. */
export function planPrune(context: PruneContext, isApproved: DecideContext['isApproved']): PrunePlan {
  const objections = objectionsTo(context);
  const holds = holdsOf(context, objections);
  const isReleased = (verdict: Verdict): boolean => {
    const hold = verdict.action === 'held' ? holds.get(verdict.group) : undefined;
    return hold !== undefined && isApproved(hold.id, hold.members);
  };
  const leaving = context.candidates.filter((candidate) => {
    const verdict = objections.get(candidate);
    return verdict === undefined || isReleased(verdict);
  });
  // Asked last: what a Namespace takes with it is no surprise where all of that is leaving anyway.
  const cascades = cascadesOf(leaving, context);
  for (const [group, hold] of holdsOf(context, cascades)) holds.set(group, hold);
  const deletions: PrunePlan['deletions'][number][] = [];
  const kept: Change[] = [];
  const left = new Set(leaving);
  for (const candidate of context.candidates) {
    const verdict = (left.has(candidate) ? cascades : objections).get(candidate);
    const base = { ref: candidate.ref, origin: originOf(candidate), fields: [] };
    if (verdict === undefined || isReleased(verdict)) {
      deletions.push(deletionOf(candidate, context));
    } else if (verdict.action === 'held') {
      kept.push({
        ...base,
        action: 'held',
        reason: verdict.reason,
        holdId: holds.get(verdict.group)?.id ?? '',
      });
    } else {
      kept.push({ ...base, action: verdict.action, reason: verdict.reason });
    }
  }
  return { deletions, kept };
}

function objectionsTo(context: PruneContext): Map<OwnedObject, Verdict> {
  const objections = new Map<OwnedObject, Verdict>();
  for (const candidate of context.candidates) {
    const verdict = firstObjection(candidate, context);
    if (verdict !== undefined) objections.set(candidate, verdict);
  }
  const doomed = context.candidates.filter(
    (candidate) => !objections.has(candidate) && !isOrphan(candidate, context),
  );
  for (const [candidate, verdict] of overLimit(doomed, context)) objections.set(candidate, verdict);
  return objections;
}

function cascadesOf(leaving: readonly OwnedObject[], context: PruneContext): Map<OwnedObject, Verdict> {
  // What stays would go with its Namespace.
  const doomed = leaving.filter((candidate) => !isOrphan(candidate, context));
  const keys = new Set(doomed.map(({ ref }) => refKey(ref)));
  const found = new Map<OwnedObject, Verdict>();
  for (const candidate of doomed) {
    const verdict = cascadeToOthers(candidate, { cascades: context.cascades, leaving: keys });
    if (verdict !== undefined) found.set(candidate, verdict);
  }
  return found;
}

function firstObjection(candidate: OwnedObject, context: PruneContext): Verdict | undefined {
  for (const guard of guards) {
    const verdict = guard(candidate, context);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/** What is held together and approved as one. */
interface Hold {
  readonly id: string;
  /** Each object's key and uid, and what an approval takes beyond them. */
  readonly members: readonly string[];
}

/** The holds by the name of their group. */
function holdsOf(context: PruneContext, verdicts: ReadonlyMap<OwnedObject, Verdict>): Map<string, Hold> {
  const held = [...verdicts].flatMap(([candidate, verdict]) =>
    verdict.action === 'held' ? [{ candidate, verdict }] : [],
  );
  const groups = Map.groupBy(held, ({ verdict }) => verdict.group);
  return new Map(
    [...groups].map(([group, entries]) => {
      const keys = entries.flatMap(({ candidate, verdict }) => [
        `${refKey(candidate.ref)} ${candidate.uid}`,
        ...(verdict.covers ?? []),
      ]);
      const members = keys.sort();
      return [group, { id: holdId([context.cluster, group, ...members]), members }];
    }),
  );
}

function deletionOf(owned: OwnedObject, context: PruneContext): PrunePlan['deletions'][number] {
  const base = { action: 'delete', owned, origin: originOf(owned) } as const;
  const reason = reasonOf(owned, context);
  return isOrphan(owned, context)
    ? { ...base, orphan: true, reason: `${reason}; it stays and is no longer ours, as deletion: orphan says` }
    : { ...base, reason };
}

/** Git no longer has the object, so there is no line: the generator is all that is left to name. */
function originOf(candidate: OwnedObject): Origin {
  return { generator: candidate.generator, file: '', document: 0, line: 0 };
}

function reasonOf(candidate: OwnedObject, context: PruneContext): string {
  const generator = generatorOf(candidate, context);
  if (generator === undefined) return `${candidate.generator || 'what brought it'} is gone from Git`;
  if (generator.state === 'unmatched')
    return `the cluster's labels no longer match generator ${candidate.generator}`;
  return `${candidate.generator} no longer gives it`;
}
