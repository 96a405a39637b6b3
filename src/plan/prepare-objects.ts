import {
  adoptAnnotation,
  desiredHashAnnotation,
  driftAnnotation,
  generatorAnnotation,
  partOfLabel,
} from '../model/apply-set.ts';
import { type Change } from '../model/change.ts';
import { type DesiredObject, type DesiredState } from '../model/desired.ts';
import { FleetError } from '../model/fleet-error.ts';
import { type JsonObject, objectAt, stringAt } from '../model/json.ts';
import { formatRef, groupKindOf, type ObjectRef, refKey } from '../model/object-ref.ts';
import { formatOrigin } from '../model/origin.ts';
import { type PreparedObject } from '../model/plan.ts';
import { type DriftPolicy } from '../model/settings.ts';
import { contentHash } from './content-hash.ts';
import { type Scope } from './definitions.ts';

export interface PrepareOptions {
  readonly applySetId: string;
  /** Undefined: the cluster serves no such kind, and no definition in the desired state brings it. */
  readonly scopeOf: (apiVersion: string, kind: string) => Scope | undefined;
  readonly driftPolicy: DriftPolicy;
}

export interface Preparation {
  readonly objects: readonly PreparedObject[];
  /** Objects that cannot be sent; while there is one, nothing may be pruned of what it may name. */
  readonly failures: readonly Change[];
}

/**
 * Settles each object's namespace by the scope of its kind and puts our label and annotations on a copy.
 * Two objects that turn out to be the same one fail both: neither can be preferred without a surprise.
 */
export function prepareObjects(desired: DesiredState, options: PrepareOptions): Preparation {
  const byKey = new Map<string, PreparedObject[]>();
  const failures: Change[] = [];
  for (const object of desired.objects) {
    const scope = options.scopeOf(object.ref.apiVersion, object.ref.kind);
    if (scope === undefined) {
      failures.push(
        failed(
          object,
          new FleetError(
            'KindUnknown',
            `the cluster serves no ${groupKindOf(object.ref)} in ${object.ref.apiVersion}`,
          ),
        ),
      );
      continue;
    }
    const prepared = prepareObject(object, { desired, options, scope });
    byKey.set(prepared.key, [...(byKey.get(prepared.key) ?? []), prepared]);
  }
  const objects: PreparedObject[] = [];
  for (const [first, ...others] of byKey.values()) {
    if (first === undefined) continue;
    if (others.length === 0) objects.push(first);
    else failures.push(...duplicates([first, ...others]));
  }
  return { objects, failures };
}

interface Context {
  readonly desired: DesiredState;
  readonly options: PrepareOptions;
  readonly scope: Scope;
}

function prepareObject(object: DesiredObject, { desired, options, scope }: Context): PreparedObject {
  const namespace = scope === 'cluster' ? '' : object.ref.namespace || object.defaultNamespace || 'default';
  const ref: ObjectRef = { ...object.ref, namespace };
  const hash = contentHash(object.manifest);
  const metadata = objectAt(object.manifest, 'metadata');
  const { namespace: _stated, ...named } = metadata;
  const body: JsonObject = {
    ...object.manifest,
    metadata: {
      ...named,
      ...(namespace === '' ? {} : { namespace }),
      labels: { ...objectAt(metadata, 'labels'), [partOfLabel]: options.applySetId },
      annotations: {
        ...objectAt(metadata, 'annotations'),
        [generatorAnnotation]: object.origin.generator,
        [desiredHashAnnotation]: hash,
      },
    },
  };
  return {
    ref,
    key: refKey(ref),
    body,
    origin: object.origin,
    hash,
    drift:
      asDriftPolicy(stringAt(metadata, 'annotations', driftAnnotation)) ??
      desired.generators.get(object.origin.generator)?.sync.drift ??
      options.driftPolicy,
    adopt: stringAt(metadata, 'annotations', adoptAnnotation) === 'true',
  };
}

function asDriftPolicy(value: string | undefined): DriftPolicy | undefined {
  return value === 'correct' || value === 'report' || value === 'ignore' ? value : undefined;
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
