import type { FleetError } from '../model/fleet-error.ts';
import { compareText } from '../model/object-ref.ts';
import type { Origin } from '../model/origin.ts';

/** Faults in the order of files and lines, each one once. */
export function sortFaults(faults: readonly FleetError[]): FleetError[] {
  const sorted = faults.toSorted(compareFaults);
  return sorted.filter((fault, index) => {
    const before = sorted[index - 1];
    return before === undefined || compareFaults(before, fault) !== 0;
  });
}

const nowhere: Origin = { generator: '', file: '', document: 0, line: 0 };

function compareFaults(a: FleetError, b: FleetError): number {
  const left = a.subject.origin ?? nowhere;
  const right = b.subject.origin ?? nowhere;
  return (
    comparePlaces(left, right) ||
    compareText(a.message, b.message) ||
    compareText(left.generator, right.generator)
  );
}

function comparePlaces(a: Origin, b: Origin): number {
  return compareText(a.file, b.file) || a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
}
