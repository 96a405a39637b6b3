import type { DesiredObject } from '../model/desired.ts';
import { FleetError } from '../model/fleet-error.ts';
import { compareRefs, compareText, formatRef, refKey } from '../model/object-ref.ts';
import { formatOrigin, type Origin } from '../model/origin.ts';
import { namespaceOf, type ScopeLookup } from './cluster-scoped-kinds.ts';

export interface Distinct {
  /** Sorted by compareRefs. */
  readonly objects: readonly DesiredObject[];
  readonly faults: readonly FleetError[];
  /** Generators that lost an object. */
  readonly losers: ReadonlySet<string>;
}

/**
 * Objects that more than one place defines are left out altogether: either choice would be a surprise, and whichever
 * is live stays as it is while there is a fault.
 */
export function dropDuplicates(objects: readonly DesiredObject[], scopeOf: ScopeLookup): Distinct {
  const byKey = new Map<string, DesiredObject>();
  const clashes = new Map<string, DesiredObject[]>();
  for (const object of objects) {
    const key = refKey({ ...object.ref, namespace: namespaceOf(object, scopeOf) });
    const first = byKey.get(key);
    if (first === undefined) byKey.set(key, object);
    else clashes.set(key, [...(clashes.get(key) ?? [first]), object]);
  }
  for (const key of clashes.keys()) byKey.delete(key);
  return {
    objects: [...byKey.values()].sort(compareObjects),
    faults: [...clashes.values()].flatMap(faultsOfClash),
    losers: new Set([...clashes.values()].flat().map(({ origin }) => origin.generator)),
  };
}

function compareObjects(a: DesiredObject, b: DesiredObject): number {
  return (
    compareRefs(a.ref, b.ref) ||
    compareText(a.defaultNamespace, b.defaultNamespace) ||
    compareOrigins(a.origin, b.origin)
  );
}

function compareOrigins(a: Origin, b: Origin): number {
  return compareText(a.file, b.file) || a.line - b.line || compareText(a.generator, b.generator);
}

function faultsOfClash(objects: readonly DesiredObject[]): FleetError[] {
  const [first, ...others] = objects.toSorted((a, b) => compareOrigins(a.origin, b.origin));
  if (first === undefined) return [];
  return others.map(({ ref, origin }) => {
    const isSame = compareOrigins(origin, first.origin) === 0;
    const message = isSame
      ? `${formatRef(ref)} comes from here more than once, as for two items of ${origin.generator} that do not tell it apart by name or namespace; none is applied`
      : `${formatRef(ref)} is also defined at ${formatOrigin(first.origin)} (${first.origin.generator}); neither is applied`;
    return new FleetError('ManifestInvalid', message, { ref, origin });
  });
}
