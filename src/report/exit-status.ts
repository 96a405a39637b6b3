import type { FleetError } from '../model/fleet-error.ts';
import type { Report } from '../model/report.ts';
import type { FleetStatus } from '../model/status.ts';

import { driftVerdictOf, verdictOf } from './summarise.ts';

/** 0 done; 1 something failed or is held; 2 differences and nothing failed, only where asked for; 3 nothing was tried. */
export type ExitStatus = 0 | 1 | 2 | 3;

/** What a command that ends with this report exits with. `exitCode` is the option of plan and drift. */
export function exitStatus(report: Report, options: { readonly exitCode: boolean }): ExitStatus {
  const verdicts =
    report.kind === 'DriftReport'
      ? report.clusters.map(driftVerdictOf)
      : report.clusters.map((cluster) => verdictOf(cluster, report.kind));
  const fine = verdicts.every((verdict) => verdict === 'inSync' || verdict === 'outOfSync');
  if (!fine || report.errors.length > 0) return 1;
  return options.exitCode && verdicts.includes('outOfSync') ? 2 : 0;
}

/** For `status`: whatever the table shows in red, and what is held, asks for a person. */
export function statusExit({ clusters, lastFetch, errors = [] }: FleetStatus): ExitStatus {
  const fine = clusters.every(
    ({ state, held, failed, message }) =>
      state === 'reachable' && held === 0 && failed === 0 && message === undefined,
  );
  return fine && lastFetch?.error === undefined && errors.length === 0 ? 0 : 1;
}

/** For commands that end with faults alone. */
export function faultsStatus(faults: readonly FleetError[]): ExitStatus {
  return faults.length === 0 ? 0 : 1;
}
