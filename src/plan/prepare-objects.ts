import type { Change } from '../model/change.ts';
import type { DesiredObject, DesiredState } from '../model/desired.ts';
import { FleetError } from '../model/fleet-error.ts';
import { formatRef, type ObjectRef, refKey } from '../model/object-ref.ts';
import { formatOrigin } from '../model/origin.ts';
import type { PreparedObject } from '../model/plan.ts';
import type { DriftPolicy } from '../model/settings.ts';
import type { Scope } from './definitions.ts';
import { linkObjects } from './order/link-objects.ts';
import { namespaceOf, prepareObject } from './prepare-object.ts';

export interface PrepareOptions {
  readonly applySetId: string;
  /** Undefined: the cluster keeps no objects of such a kind, and no definition in the desired state brings it. */
  readonly scopeOf: (apiVersion: string, kind: string) => Scope | undefined;
  readonly driftPolicy: DriftPolicy;
  /** The key of the ApplySet's parent. Git may not define it: the inventory would be lost with the next apply. */
  readonly parentKey?: string;
}

export interface Preparation {
  readonly objects: readonly PreparedObject[];
  /** Objects that cannot be sent. */
  readonly failures: readonly Change[];
  /** The key of every object that Git may mean, those that failed included: none of them is ever pruned. */
  readonly wanted: ReadonlySet<string>;
}

/**
 * Settles each object's namespace by the scope of its kind and puts our label and annotations on a copy.
 * Two objects that turn out to be the same one fail both: neither can be preferred without a surprise.
 */
export function prepareObjects(desired: DesiredState, options: PrepareOptions): Preparation {
  const byKey = new Map<string, PreparedObject[]>();
  const failures: Change[] = [];
  const wanted = new Set<string>();
  for (const object of desired.objects) {
    const scope = options.scopeOf(object.ref.apiVersion, object.ref.kind);
    if (scope === undefined) {
      failures.push(failed(object, unknownKind(object.ref)));
      for (const namespace of possibleNamespaces(object)) wanted.add(refKey({ ...object.ref, namespace }));
    } else {
      const { applySetId } = options;
      const sync = desired.generators.get(object.origin.generator)?.sync;
      const driftPolicy = sync?.drift ?? options.driftPolicy;
      const prepared = prepareObject(object, { scope, applySetId, driftPolicy, deletion: sync?.deletion });
      byKey.set(prepared.key, [...(byKey.get(prepared.key) ?? []), prepared]);
      wanted.add(prepared.key);
    }
  }
  const objects: PreparedObject[] = [];
  for (const [first, ...others] of byKey.values()) {
    if (first === undefined) continue;
    if (first.key === options.parentKey) failures.push(reserved(first));
    else if (others.length === 0) objects.push(first);
    else failures.push(...duplicates([first, ...others]));
  }
  const linked = linkObjects(objects);
  failures.push(...linked.failures.map(({ object, error }) => failed(object, error)));
  return { objects: linked.objects, failures, wanted };
}

/** A version that is served no more does not tell the scope, but another version's objects may be there. */
function possibleNamespaces(object: DesiredObject): readonly string[] {
  return ['', namespaceOf(object)];
}

function unknownKind({ apiVersion, kind }: ObjectRef): FleetError {
  return new FleetError('KindUnknown', `the cluster serves no ${kind} in ${apiVersion}`);
}

function reserved(object: PreparedObject): Change {
  const message = `${formatRef(object.ref)} is where Fleetwright keeps what it owns in the cluster, and cannot be in Git`;
  return failed(object, new FleetError('ManifestInvalid', message));
}

function duplicates(objects: readonly PreparedObject[]): Change[] {
  const places = objects.map((object) => formatOrigin(object.origin)).join(' and ');
  return objects.map((object) =>
    failed(
      object,
      new FleetError('ManifestInvalid', `${formatRef(object.ref)} is defined more than once: ${places}`),
    ),
  );
}

function failed(object: Pick<DesiredObject, 'ref' | 'origin'>, error: FleetError): Change {
  const { ref, origin } = object;
  return {
    action: 'failed',
    ref,
    origin,
    fields: [],
    reason: error.message,
    error: error.about({ ref, origin }),
  };
}
