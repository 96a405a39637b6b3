import type { FleetError } from '../model/fleet-error.ts';
import { formatOrigin } from '../model/origin.ts';

import type { ErrorJson } from './report-schema.ts';
import { sortErrors } from './sort-report.ts';
import { paintWith, span, toSpans } from './text/styled-text.ts';
import { plural } from './text/text-context.ts';
import { errorJson, reportApiVersion } from './to-json.ts';

/** What was read of a fleet repository, and every fault found. */
export interface ValidationResult {
  /** How many files were read. */
  readonly files: number;
  readonly faults: readonly FleetError[];
  readonly warnings: readonly string[];
}

/** Every fault, then one sentence; a clean repository gives the sentence alone. */
export function renderValidation(result: ValidationResult, options: { readonly color: boolean }): string {
  const paint = paintWith(options.color);
  const count = uniqueFaults(result.faults).length;
  const warnings = result.warnings.map((warning) => `${paint([span(`note: ${warning}`, 'dim')])}\n`).join('');
  const faults = count === 0 ? 'no fault' : plural(count, 'fault');
  const end = span(`${plural(result.files, 'file')}, ${faults}`, count === 0 ? 'green' : 'red');
  return `${renderFaults(result.faults, options)}${warnings}${paint([end])}\n`;
}

/**
 * One line a fault, 'file:line:column: code: message' as editors and CI systems understand it; further lines of a
 * message are indented below. No fault gives no text.
 */
export function renderFaults(faults: readonly FleetError[], options: { readonly color: boolean }): string {
  const paint = paintWith(options.color);
  return uniqueFaults(faults)
    .flatMap((fault) => {
      const { origin } = fault.subject;
      const [first = '', ...others] = fault.message.split('\n');
      const place = origin === undefined ? [] : [span(formatOrigin(origin), 'cyan'), ': '];
      return [
        `${paint(toSpans([...place, span(fault.code, 'red'), `: ${first}`]))}\n`,
        ...others.map((line) => `    ${paint(toSpans(line))}\n`),
      ];
    })
    .join('');
}

/** The stable shape of what validate finds. */
export function validationJson(result: ValidationResult): ValidationJson {
  const faults = uniqueFaults(result.faults);
  return {
    apiVersion: reportApiVersion,
    kind: 'ValidationReport',
    summary: { files: result.files, faults: faults.length },
    faults: faults.map(errorJson),
    warnings: [...result.warnings],
  };
}

export interface ValidationJson {
  readonly apiVersion: typeof reportApiVersion;
  readonly kind: 'ValidationReport';
  readonly summary: { readonly files: number; readonly faults: number };
  readonly faults: readonly ErrorJson[];
  readonly warnings: readonly string[];
}

/** A file that many clusters share is read for each of them, but its fault is one. */
function uniqueFaults(faults: readonly FleetError[]): FleetError[] {
  return [...new Map(sortErrors(faults).map((fault) => [fault.describe(), fault])).values()];
}
