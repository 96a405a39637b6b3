import type { ChangeReport, DriftReport } from '../../model/report.ts';
import type { FleetStatus } from '../../model/status.ts';

/** All that the page tells, of one moment. */
export interface PageData {
  readonly status: FleetStatus;
  readonly sync: ChangeReport;
  readonly drift: DriftReport;
  /** The settings file that the engine was started with: commands to copy name it, too. */
  readonly settingsPath?: string | undefined;
}

/** How many of each are shown. Reports and the API tell all of them. */
export const shown = {
  clusters: 500,
  faults: 50,
  holds: 50,
  driftedClusters: 40,
  objects: 200,
  fields: 30,
  names: 12,
  unwell: 5,
} as const;
