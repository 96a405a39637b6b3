import type { Change } from '../model/change.ts';
import { FleetError } from '../model/fleet-error.ts';
import { groupKindOf, refKey } from '../model/object-ref.ts';
import type { Preparation } from '../plan/prepare-objects.ts';
import { stateOf } from './cluster-outcome.ts';
import type { ClusterState, SyncTask } from './cluster-state.ts';

export interface Unlisted {
  /** One for each kind of which it is not known what we own. */
  readonly errors: readonly FleetError[];
  /** The objects of these kinds that we remember applying and that Git no longer has. */
  readonly changes: readonly Change[];
}

/**
 * What may be left undone because a kind cannot be listed: objects of it that Git no longer has stay, and silence about
 * them would look like success. Kinds that are not served at all hold nothing.
 */
export function unlistedKinds({ state, generators }: SyncTask, preparation: Preparation): Unlisted {
  const kinds = new Set(state.groupKinds);
  for (const { ref } of preparation.objects) kinds.add(groupKindOf(ref));
  for (const { ref } of state.baselines.values()) kinds.add(groupKindOf(ref));
  const failed = new Map<string, FleetError>();
  for (const kind of [...kinds].sort()) {
    const { inventory, name } = state;
    const known = inventory.kindState(kind);
    if (known.state !== 'failed' || known.error.code === 'KindUnknown') continue;
    // A cluster that cannot be reached says so itself, once.
    if (stateOf(known.error) !== 'reachable') continue;
    const message = `${kind} cannot be listed, so nothing of it is pruned: ${known.error.message}`;
    failed.set(kind, new FleetError(known.error.code, message, { cluster: name, cause: known.error }));
  }
  // Which generator brought an object is not remembered: a pass over some of them cannot tell what it left behind.
  const changes = generators === undefined ? leftBehind(state, { preparation, failed }) : [];
  return { errors: [...failed.values()], changes };
}

function leftBehind(
  { baselines, inventory }: ClusterState,
  { preparation, failed }: { preparation: Preparation; failed: ReadonlyMap<string, FleetError> },
): Change[] {
  const wanted = new Set([
    ...preparation.objects.map(({ key }) => key),
    ...preparation.failures.map(({ ref }) => refKey(ref)),
  ]);
  return [...baselines].flatMap(([key, { ref }]): Change[] => {
    const error = failed.get(groupKindOf(ref));
    if (error === undefined || wanted.has(key) || inventory.get(ref) !== undefined) return [];
    const origin = { generator: '', file: '', document: 0, line: 0 };
    const reason = `Git no longer has it; ${error.message}`;
    return [{ action: 'failed', ref, origin, fields: [], reason, error: error.about({ ref }) }];
  });
}
