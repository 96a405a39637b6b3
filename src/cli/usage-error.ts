import type { FleetError } from '../model/fleet-error.ts';

/** The arguments or settings are invalid, so nothing was tried: exit status 3. */
export class UsageError extends Error {
  /** Every fault found in the settings, each with its place. */
  readonly faults: readonly FleetError[];

  constructor(message: string, faults: readonly FleetError[] = []) {
    super(message);
    this.name = 'UsageError';
    this.faults = faults;
  }
}
