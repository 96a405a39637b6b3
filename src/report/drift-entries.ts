import type { Drift } from '../model/change.ts';
import { partOfLabel } from '../model/apply-set.ts';
import type { FieldDifference } from '../model/field.ts';
import { refKey } from '../model/object-ref.ts';
import type { ClusterDriftReport } from '../model/report.ts';

/** An object that differs now, or the newest of its corrections. */
export interface DriftEntry {
  readonly drift: Drift;
  /** How often the object was put right within the time that the report spans; 0 when it never was. */
  readonly corrections: number;
  /** When it was put right last, RFC 3339. */
  readonly lastCorrectedAt?: string;
}

/** One entry for each object, in the order in which the objects are first met. */
export function driftEntries(drifts: readonly Drift[]): DriftEntry[] {
  return [...Map.groupBy(drifts, (drift) => refKey(drift.ref)).values()].flatMap((ofObject) => {
    const corrected = ofObject.filter((drift) => !differs(drift));
    const newest = corrected.reduce<Drift | undefined>(
      (best, drift) => (best === undefined || timeOf(drift) > timeOf(best) ? drift : best),
      undefined,
    );
    const drift = ofObject.find(differs) ?? newest;
    if (drift === undefined) return [];
    return {
      drift,
      corrections: corrected.length,
      ...(newest?.correctedAt !== undefined && { lastCorrectedAt: newest.correctedAt }),
    };
  });
}

/** How many objects of a cluster differ, and how many were put right. */
export interface DriftCounts {
  /** Objects that differ from Git now, by wish or not. */
  readonly drifted: number;
  /** Those of them that differ by wish. */
  readonly ignored: number;
  readonly missing: number;
  readonly extra: number;
  /** Objects that were put right at least once, whether they differ again or not. */
  readonly corrected: number;
}

/** Counts objects, not events: what was put right ten times is one object. */
export function countDrift(cluster: Pick<ClusterDriftReport, 'objects'>): DriftCounts {
  const entries = driftEntries(cluster.objects);
  const now = entries.map(({ drift }) => drift).filter(differs);
  const countWhere = (test: (drift: Drift) => boolean): number => now.filter(test).length;
  return {
    drifted: now.length,
    ignored: countWhere(({ action }) => action === 'ignored'),
    missing: countWhere(({ kind }) => kind === 'missing'),
    extra: countWhere(({ kind }) => kind === 'extra'),
    corrected: entries.filter(({ corrections }) => corrections > 0).length,
  };
}

/** Whether a field is the label by which we know our objects, taken off or changed. */
export function isOurLabel(field: FieldDifference, { kind }: Pick<Drift, 'kind'>): boolean {
  return kind === 'unlabelled' && field.path.includes(`["${partOfLabel}"]`);
}

/** Whether the live object differs from Git now. */
export function differs(drift: Drift): boolean {
  return drift.action !== 'corrected';
}

function timeOf(drift: Drift): string {
  return drift.correctedAt ?? drift.detectedAt;
}
