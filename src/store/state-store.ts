import type { Drift } from '../model/change.ts';
import type { ClusterHealth } from '../model/health.ts';
import type { Baseline } from '../model/observation.ts';
import type { ClusterState } from '../model/report.ts';
import type { ServerFacts } from '../model/server-facts.ts';
import { approvals, type Approvals } from './approvals.ts';
import { clusterState, maskKeyOf } from './cluster-state.ts';
import { objectState } from './object-state.ts';
import { openDatabase, openReadOnly } from './open-database.ts';
import { type Renderings, renderings } from './renderings.ts';
import { prepareOnce } from './sql.ts';

/** What is remembered of a cluster, so that one that cannot be reached is not forgotten. */
export interface ClusterMemory {
  readonly state: ClusterState;
  readonly lastSeenAt?: string;
  readonly revision?: string;
  readonly lastSyncAt?: string;
  /** Counts of the last sync, for `status`. */
  readonly counts?: Readonly<Record<'objects' | 'drifted' | 'held' | 'failed', number>>;
  /** How its objects fared when it was last heard of. */
  readonly health?: ClusterHealth;
  readonly message?: string;
}

/** State that survives a restart. All of it is a cache or a history: losing it costs requests, never objects. */
export interface StateStore extends Approvals, Renderings {
  baselines(cluster: string): Map<string, Baseline>;
  saveBaselines(cluster: string, saved: readonly Baseline[], removedKeys: readonly string[]): void;
  recordDrifts(cluster: string, drifts: readonly Drift[]): void;
  /** Drifts corrected since the given time (RFC 3339), newest first. */
  correctedDrifts(cluster: string, since: string): Drift[];
  /** Generators that stopped matching a cluster, and since when (ms since the epoch). */
  unmatched(cluster: string): Map<string, number>;
  markUnmatched(cluster: string, generator: string, now: number): void;
  clearUnmatched(cluster: string, generator: string): void;
  memory(cluster: string): ClusterMemory | undefined;
  remember(cluster: string, memory: ClusterMemory): void;
  /** What the cluster's API server said of itself last. */
  serverFacts(cluster: string): ServerFacts | undefined;
  saveServerFacts(cluster: string, facts: ServerFacts): void;
  /** A random key that stays the same for this folder, for hashes that stand in for secret values. */
  maskKey(): string;
  close(): void;
}

export interface StateStoreOptions {
  /** For commands that write nothing anywhere: a folder that does not exist stays so. */
  readonly readOnly?: boolean;
  /** Told the new name of a file that could not be read and was set aside. */
  readonly onSetAside?: (file: string) => void;
}

/** Opens the state kept in a folder. See openDatabase for what happens to a corrupt file. */
export function openStateStore(stateDir: string, options: StateStoreOptions = {}): StateStore {
  const readOnly = options.readOnly ?? false;
  const database = readOnly
    ? openReadOnly(stateDir)
    : openDatabase(stateDir, options.onSetAside ?? (() => undefined));
  const sql = prepareOnce(database);
  return {
    ...objectState(sql),
    ...approvals(sql),
    ...clusterState(sql),
    ...renderings(sql, readOnly),
    maskKey: maskKeyOf(sql, readOnly),
    close: () => {
      database.close();
    },
  };
}
