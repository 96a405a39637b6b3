import type { FieldDifference } from '../model/field.ts';
import type { FleetError } from '../model/fleet-error.ts';
import { compareRefs, compareText, type ObjectRef } from '../model/object-ref.ts';
import type { Origin } from '../model/origin.ts';
import type { Report } from '../model/report.ts';

import { sortedBy } from './format.ts';

/** The same report in the one order that every format shows it in, so that two of them can be compared line by line. */
export function sortReport<Any extends Report>(report: Any): Any {
  return {
    ...report,
    clusters: sortedBy<Report['clusters'][number]>(report.clusters, (cluster) => cluster.name).map(
      (cluster) => ({
        ...cluster,
        ...('changes' in cluster
          ? { changes: sortByRef(cluster.changes) }
          : { objects: sortByRef(cluster.objects) }),
        errors: sortErrors(cluster.errors),
      }),
    ),
    errors: sortErrors(report.errors),
  };
}

/** Errors by place in Git, then by object, code and message; those without a place come first. */
export function sortErrors(errors: readonly FleetError[]): FleetError[] {
  return [...errors].sort(
    (a, b) =>
      comparePlaces(a.subject.origin, b.subject.origin) ||
      compareOptionalRefs(a.subject.ref, b.subject.ref) ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  );
}

function comparePlaces(a: Origin | undefined, b: Origin | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareText(a.file, b.file) || a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
}

function compareOptionalRefs(a: ObjectRef | undefined, b: ObjectRef | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareRefs(a, b);
}

function sortByRef<Item extends { readonly ref: ObjectRef; readonly fields: readonly FieldDifference[] }>(
  items: readonly Item[],
): Item[] {
  return [...items]
    .sort((a, b) => compareRefs(a.ref, b.ref))
    .map((item) => ({ ...item, fields: sortedBy(item.fields, (field) => field.path) }));
}
