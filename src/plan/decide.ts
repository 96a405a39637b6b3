import { partOfLabel } from '../model/apply-set.ts';
import { FleetError } from '../model/fleet-error.ts';
import { type JsonObject, stringAt } from '../model/json.ts';
import type { Observation } from '../model/observation.ts';
import type { PreparedObject } from '../model/plan.ts';
import { isReplaceable, reasonToReplace } from '../model/replacement.ts';
import { decideAdoption } from './decide/decide-adoption.ts';
import { decideOurs } from './decide/decide-ours.ts';
import {
  conflict,
  type DecideContext,
  type Decision,
  failed,
  found,
  leaveDrift,
  type Present,
  unchanged,
  waitForDeletion,
  write,
} from './decide/decision.ts';
import { foreignOwner, lostOurLabel } from './decide/foreign-owner.ts';
import { gitMoved } from './decide/git-moved.ts';

/** Decides about one object from what was read of it. Total: every observation has an outcome. */
export function decide(object: PreparedObject, observation: Observation, context: DecideContext): Decision {
  switch (observation.state) {
    case 'absent':
      return decideAbsent(object, context);
    case 'owned':
      return unchanged(object);
    case 'present':
      return decidePresent(object, observation, context);
    case 'rejected':
      return decideRejected(object, observation, context);
    case 'unreadable':
      return failed(object, observation.error);
    case 'unknownKind':
      return failed(
        object,
        new FleetError('KindUnknown', `the cluster serves no ${object.ref.kind} in ${object.ref.apiVersion}`),
      );
  }
}

function decideAbsent(object: PreparedObject, context: DecideContext): Decision {
  if (!context.wasApplied(object)) return write({ action: 'create', object });
  const drift = found(object, { kind: 'missing', fields: [] });
  if (object.drift !== 'correct') return { ...leaveDrift(object), drift };
  return { ...write({ action: 'create', object, drift: 'missing' }), drift };
}

function decidePresent(object: PreparedObject, present: Present, context: DecideContext): Decision {
  const { live } = present;
  if (isBeingDeleted(live)) return { outcome: { settled: waitForDeletion(object) } };
  if (object.apply === 'create-only') return decideCreated(object, live, context);
  if (hasOurLabel(live, context)) return decideOurs(object, present, { kind: 'changed', context });
  const owner = foreignOwner(live, context.applySetId);
  // Asked before our memory: one that another tool has taken since is theirs now, and two would fight over it.
  if (owner !== undefined) return conflict(object, owner);
  if (lostOurLabel(live) || isRemembered(object, live, context)) {
    return decideOurs(object, present, { kind: 'unlabelled', context });
  }
  return decideAdoption(object, present, context);
}

/** What is only ever created is there, whoever made it and whatever became of it. */
function decideCreated(object: PreparedObject, live: JsonObject, context: DecideContext): Decision {
  const ours = hasOurLabel(live, context) || lostOurLabel(live) || isRemembered(object, live, context);
  if (ours) return { ...unchanged(object), proven: live };
  const { ref, origin } = object;
  const reason = 'it existed before and is only ever created; it is not ours';
  return { outcome: { settled: { action: 'skipped', ref, origin, fields: [], reason } } };
}

/** The server refuses our wish; that the object is on its way out, or another's, comes first. */
function decideRejected(
  object: PreparedObject,
  { live, error }: { readonly live?: JsonObject; readonly error: FleetError },
  context: DecideContext,
): Decision {
  if (live === undefined) return failed(object, error);
  if (hasOurLabel(live, context)) return decideRefused(object, { live, error }, context);
  if (isBeingDeleted(live)) return { outcome: { settled: waitForDeletion(object) } };
  const owner = foreignOwner(live, context.applySetId);
  return owner === undefined ? failed(object, error) : conflict(object, owner);
}

/** One of ours that cannot be changed in place is deleted and created anew where its manifest asks for that. */
function decideRefused(
  object: PreparedObject,
  { live, error }: { readonly live: JsonObject; readonly error: FleetError },
  context: DecideContext,
): Decision {
  if (isBeingDeleted(live)) return { outcome: { settled: waitForDeletion(object) } };
  const asked = error.code === 'FieldImmutable' && object.apply === 'replace' && isReplaceable(object.ref);
  const due = object.drift === 'correct' || gitMoved(object, live, context.baseline(object.key));
  return asked && due
    ? write({ action: 'configure', object, live, reason: reasonToReplace(error) })
    : failed(object, error);
}

function isBeingDeleted(live: JsonObject): boolean {
  return stringAt(live, 'metadata', 'deletionTimestamp') !== undefined;
}

function hasOurLabel(live: JsonObject, context: DecideContext): boolean {
  return stringAt(live, 'metadata', 'labels', partOfLabel) === context.applySetId;
}

function isRemembered(object: PreparedObject, live: JsonObject, context: DecideContext): boolean {
  const baseline = context.baseline(object.key);
  return baseline !== undefined && baseline.uid === stringAt(live, 'metadata', 'uid');
}
