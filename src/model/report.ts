import type { Change, ChangeAction, Drift } from './change.ts';
import type { FleetError } from './fleet-error.ts';

export type ClusterState = 'reachable' | 'unreachable' | 'unauthorized' | 'unknown';

export interface ReportMetadata {
  readonly fleet: string;
  /** Full commit id; '' before the first revision was read. */
  readonly revision: string;
  /** RFC 3339. */
  readonly generatedAt: string;
}

/** One cluster in a Plan or SyncReport. */
export interface ClusterReport {
  readonly name: string;
  readonly state: ClusterState;
  /** When it last answered, RFC 3339; missing when it never did. */
  readonly lastSeenAt?: string;
  /** The revision it was last brought to. */
  readonly revision?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly changes: readonly Change[];
  readonly errors: readonly FleetError[];
  readonly warnings: readonly string[];
}

/** One cluster in a DriftReport. */
export interface ClusterDriftReport {
  readonly name: string;
  readonly state: ClusterState;
  readonly lastSeenAt?: string;
  readonly revision?: string;
  /** How many objects Git wants there. */
  readonly objectCount: number;
  readonly objects: readonly Drift[];
  readonly errors: readonly FleetError[];
  /** What the report may lack, and why; no errors. */
  readonly warnings?: readonly string[];
}

export type Report =
  | {
      readonly kind: 'Plan' | 'SyncReport';
      readonly metadata: ReportMetadata;
      readonly clusters: readonly ClusterReport[];
      /** Faults that concern no single cluster: Git, settings, a generator file. */
      readonly errors: readonly FleetError[];
    }
  | {
      readonly kind: 'DriftReport';
      readonly metadata: ReportMetadata;
      readonly clusters: readonly ClusterDriftReport[];
      readonly errors: readonly FleetError[];
    };

export type ChangeReport = Extract<Report, { kind: 'Plan' | 'SyncReport' }>;
export type DriftReport = Extract<Report, { kind: 'DriftReport' }>;

/** How many changes of each action, over all clusters. */
export type ChangeCounts = Readonly<Record<ChangeAction, number>>;
