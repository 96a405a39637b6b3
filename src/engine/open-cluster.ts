import { applySetIdOf, readParent } from '../apply/apply-set-parent.ts';
import type { Clock } from '../kube/clock.ts';
import type { Discovery, ResourceInfo } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import type { DesiredState } from '../model/desired.ts';
import type { Baseline } from '../model/observation.ts';
import { groupKindOf } from '../model/object-ref.ts';
import type { AuditLog } from '../observe/audit/audit-log.ts';
import type { Inventory } from '../observe/inventory.ts';
import type { StateStore } from '../store/state-store.ts';
import { assertClaimed } from './claimed-cluster.ts';
import type { ClusterState } from './cluster-state.ts';
import { healthKinds } from './health-kinds.ts';
import { isKept } from './kind-table.ts';
import type { KnownServer } from './learn-server.ts';
import { RecentWrites } from './recent-writes.ts';
import { RetryMemory } from './retry-memory.ts';

export interface OpenClusterOptions {
  readonly fleet: string;
  readonly client: KubeClient;
  readonly store: StateStore;
  readonly clock: Clock;
  readonly random: () => number;
  /** How long what only people can change is left before it is looked at again. */
  readonly intervalMs: number;
  readonly server: KnownServer;
  readonly desired: DesiredState;
  readonly signal: AbortSignal;
  /** The API server's audit log, where there is one; its owner closes it. */
  readonly audit: AuditLog | undefined;
  /** Takes in the owned objects of these kinds, by a list or by watches; whole those whose health matters. */
  readonly takeInventory: (
    applySetId: string,
    kinds: readonly ResourceInfo[],
    whole: ReadonlySet<string>,
  ) => Promise<Inventory>;
}

/**
 * Gets to know a cluster whose server is known: what the ApplySet's parent says, and what is ours there.
 * @throws FleetError when the cluster cannot be spoken to or its inventory cannot be known.
 */
export async function openCluster(options: OpenClusterOptions): Promise<ClusterState> {
  const { client, fleet, signal, store } = options;
  const { discovery, facts } = options.server;
  const parent = await readParent(client, fleet, signal);
  if (parent !== undefined) assertClaimed(parent, { fleet, cluster: client.cluster, store });
  const applySetId = applySetIdOf(fleet);
  const baselines = store.baselines(client.cluster);
  const known = parent === undefined ? undefined : new Set(parent.groupKinds);
  const kinds = kindsToObserve({ discovery, groupKinds: known, desired: options.desired, baselines });
  const whole = healthKinds(kinds, options.desired);
  const inventory = await options.takeInventory(applySetId, kinds, whole);
  const state: ClusterState = {
    name: client.cluster,
    fleet,
    applySetId,
    client,
    discovery,
    server: facts,
    groupKinds: known,
    isClaimed: parent?.cluster === client.cluster,
    inventory: new RecentWrites(inventory, (groupKind) => state.healthKinds.has(groupKind)),
    healthKinds: whole,
    baselines,
    retries: new RetryMemory({
      now: () => options.clock.now(),
      random: options.random,
      intervalMs: options.intervalMs,
    }),
    audit: options.audit,
  };
  return state;
}

interface KnownKinds {
  readonly discovery: Discovery;
  readonly groupKinds: ReadonlySet<string> | undefined;
  readonly desired: DesiredState;
  readonly baselines: ReadonlyMap<string, Baseline>;
}

/**
 * The kinds in which something of ours is or will be. The parent alone would do; what Git wants and what we remember
 * writing are added, so that a parent deleted by hand loses nothing.
 */
export function kindsToObserve({ discovery, groupKinds, desired, baselines }: KnownKinds): ResourceInfo[] {
  const wanted = new Set(groupKinds);
  for (const { ref } of desired.objects) wanted.add(groupKindOf(ref));
  for (const { ref } of baselines.values()) wanted.add(groupKindOf(ref));
  return [...wanted].flatMap((groupKind) => discovery.findGroupKind(groupKind) ?? []).filter(isKept);
}
