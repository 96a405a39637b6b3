import { createParent, readParent, writeParent } from '../apply/apply-set-parent.ts';
import { toFleetError } from '../model/fleet-error.ts';
import { groupKindOf } from '../model/object-ref.ts';
import type { Preparation } from '../plan/prepare-objects.ts';
import { assertClaimed } from './claimed-cluster.ts';
import type { SyncTask } from './cluster-state.ts';

/**
 * Names every kind in the ApplySet's parent before the first object of it is written: an interrupted process must not
 * leave objects that no inventory would find.
 */
export async function growParent(task: SyncTask, preparation: Preparation): Promise<void> {
  const used = kindsInUse(task, preparation);
  if (task.state.groupKinds === undefined && (used.size === 0 || (await isCreated(task, used)))) return;
  const known = task.state.groupKinds ?? new Set<string>();
  const wanted = used.union(known);
  if (wanted.size > known.size || !task.state.isClaimed) await write(task, wanted);
}

/** Whether the parent was made by us. Another process may make it at the same moment: then what that says is taken in. */
async function isCreated({ state, store, signal }: SyncTask, groupKinds: Set<string>): Promise<boolean> {
  const { client, fleet } = state;
  // Forgotten before the parent is there: a sync that is cut short must not take what it did not create for deleted.
  store.saveBaselines(state.name, [], [...state.baselines.keys()]);
  state.baselines.clear();
  try {
    await createParent(client, { fleet, groupKinds, signal });
    state.groupKinds = groupKinds;
    state.isClaimed = true;
    return true;
  } catch (error) {
    if (toFleetError(error).code !== 'ApplyConflict') throw error;
    const parent = await readParent(client, fleet, signal);
    if (parent === undefined) throw error;
    assertClaimed(parent, { fleet, cluster: state.name, store });
    state.groupKinds = new Set(parent.groupKinds);
    return false;
  }
}

/** Drops kinds of which nothing is left. What could not be read this time may be left, so it stays named. */
export async function shrinkParent(task: SyncTask, preparation: Preparation): Promise<void> {
  const known = task.state.groupKinds;
  if (known === undefined) return;
  const used = kindsInUse(task, preparation);
  const empty = [...known].filter(
    (kind) => !used.has(kind) && task.state.inventory.kindState(kind).state === 'synced',
  );
  if (empty.length > 0) await write(task, known.difference(new Set(empty)));
}

function kindsInUse({ state }: SyncTask, preparation: Preparation): Set<string> {
  const kinds = new Set<string>();
  for (const object of preparation.objects) kinds.add(groupKindOf(object.ref));
  for (const owned of state.inventory.owned()) kinds.add(groupKindOf(owned.ref));
  return kinds;
}

async function write({ state, signal }: SyncTask, groupKinds: ReadonlySet<string>): Promise<void> {
  await writeParent(state.client, { fleet: state.fleet, groupKinds, signal });
  state.groupKinds = groupKinds;
  state.isClaimed = true;
}
