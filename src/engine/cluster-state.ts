import type { Discovery } from '../kube/discovery.ts';
import type { Clock } from '../kube/clock.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import type { DesiredState } from '../model/desired.ts';
import type { Baseline } from '../model/observation.ts';
import type { ProgressListener } from '../model/progress.ts';
import type { ServerFacts } from '../model/server-facts.ts';
import type { SyncPolicy } from '../model/settings.ts';
import type { AuditLog } from '../observe/audit/audit-log.ts';
import type { StateStore } from '../store/state-store.ts';
import type { RecentWrites } from './recent-writes.ts';
import type { RetryMemory } from './retry-memory.ts';

/** What the engine knows of one cluster between syncs. */
export interface ClusterState {
  readonly name: string;
  readonly fleet: string;
  readonly applySetId: string;
  readonly client: KubeClient;
  /** What the server serves; replaced when kinds come and go. */
  discovery: Discovery;
  /** What of it manifests may depend on; replaced together with it. */
  server: ServerFacts;
  /** The kinds that the ApplySet's parent names; undefined where there is no parent, and so nothing of ours. */
  groupKinds: ReadonlySet<string> | undefined;
  /** The parent tells our name for the cluster. */
  isClaimed: boolean;
  readonly inventory: RecentWrites;
  /** The kinds whose objects are read whole; replaced when others are followed. */
  healthKinds: ReadonlySet<string>;
  readonly baselines: Map<string, Baseline>;
  readonly retries: RetryMemory;
  /** The API server's audit log, where the registry names one. */
  readonly audit: AuditLog | undefined;
}

export interface SyncTask {
  readonly state: ClusterState;
  readonly desired: DesiredState;
  readonly policy: SyncPolicy;
  readonly labelGraceMs: number;
  readonly store: StateStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
  /** apply: make it so. preview: find out what would be done, and write nothing anywhere. */
  readonly mode: 'apply' | 'preview';
  /** Without any memory of this cluster, take what is absent for deleted by others: what a drift report asks. */
  readonly assumeApplied?: boolean;
  /** Consider what these generators bring and nothing else. */
  readonly generators?: ReadonlySet<string>;
}
