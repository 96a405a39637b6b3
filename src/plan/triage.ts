import type { Baseline, OwnedObject } from '../model/observation.ts';
import type { PreparedObject } from '../model/plan.ts';

/** What metadata alone can tell about each desired object, and what has to be asked. */
export interface Triage {
  /** Proven to be as Git wants it: no request. */
  readonly unchanged: readonly PreparedObject[];
  /** Ours, but something moved: read whole. */
  readonly suspect: readonly PreparedObject[];
  /** Not among our objects: it has to be found out whether another of that name exists. */
  readonly unseen: readonly PreparedObject[];
  /** On its way out; nothing can be written until it is gone. */
  readonly deleting: readonly PreparedObject[];
}

export interface Evidence {
  readonly owned: (object: PreparedObject) => OwnedObject | undefined;
  readonly baseline: (key: string) => Baseline | undefined;
}

/**
 * Sorts desired objects by what is known of them. Costs two look-ups and a few comparisons of strings an object.
 * One with additions by people is read although nothing moved, as a report must list them: only the object tells what
 * they are. Callers who remember what was found leave it out.
 * Invariant: an object is unchanged only if its uid, Git's wish and our field ownership are all as we left them, or if
 * it is ours and is only ever created.
 */
export function triage(objects: readonly PreparedObject[], evidence: Evidence): Triage {
  const sorted = { unchanged: [], suspect: [], unseen: [], deleting: [] } as Record<
    keyof Triage,
    PreparedObject[]
  >;
  for (const object of objects) sorted[placeOf(object, evidence)].push(object);
  return sorted;
}

function placeOf(object: PreparedObject, evidence: Evidence): keyof Triage {
  const owned = evidence.owned(object);
  if (owned === undefined) return 'unseen';
  if (owned.deleting) return 'deleting';
  if (object.apply === 'create-only') return 'unchanged';
  const baseline = evidence.baseline(object.key);
  const untouched =
    baseline?.uid === owned.uid &&
    baseline.desiredHash === object.hash &&
    owned.desiredHash === object.hash &&
    owned.generator === object.origin.generator &&
    baseline.ownership === owned.ownership &&
    baseline.additions === owned.additions &&
    baseline.ref.apiVersion === object.ref.apiVersion;
  return untouched && owned.additions === '' ? 'unchanged' : 'suspect';
}
