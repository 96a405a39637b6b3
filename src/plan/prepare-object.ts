import {
  adoptAnnotation,
  applyAnnotation,
  deletionAnnotation,
  desiredHashAnnotation,
  driftAnnotation,
  generatorAnnotation,
  ignoreFieldsAnnotation,
  partOfLabel,
} from '../model/apply-set.ts';
import type { DesiredObject } from '../model/desired.ts';
import { parseFieldPatterns } from '../model/field-pattern.ts';
import { type JsonObject, objectAt, stringAt } from '../model/json.ts';
import { type ObjectRef, refKey } from '../model/object-ref.ts';
import type { PreparedObject } from '../model/plan.ts';
import type { DriftPolicy } from '../model/settings.ts';
import { asStored } from './as-stored.ts';
import { contentHash } from './content-hash.ts';
import type { Scope } from './definitions.ts';

export interface PrepareContext {
  readonly scope: Scope;
  readonly applySetId: string;
  /** Where the object itself does not say. */
  readonly driftPolicy: DriftPolicy;
  /** As driftPolicy; undefined: its generator does not say either. */
  readonly deletion?: 'delete' | 'orphan' | undefined;
}

/** Where an object lives if it lives in a namespace. */
export function namespaceOf(object: DesiredObject): string {
  return object.ref.namespace || object.defaultNamespace || 'default';
}

/** One object made ready to send: its namespace settled by its scope, our label and annotations on a copy. */
export function prepareObject(
  wanted: DesiredObject,
  { scope, applySetId, driftPolicy, deletion }: PrepareContext,
): PreparedObject {
  const object = deletion === undefined ? wanted : withDeletion(wanted, deletion);
  const namespace = scope === 'cluster' ? '' : namespaceOf(object);
  const ref: ObjectRef = { ...object.ref, namespace };
  const hash = contentHash(object.manifest);
  const metadata = objectAt(object.manifest, 'metadata');
  return {
    ref,
    key: refKey(ref),
    body: marked(object, { ref, hash, applySetId }),
    origin: object.origin,
    hash,
    drift: asDriftPolicy(stringAt(metadata, 'annotations', driftAnnotation)) ?? driftPolicy,
    adopt: stringAt(metadata, 'annotations', adoptAnnotation) === 'true',
    dependsOn: [],
    ...leavesOf(stringAt(metadata, 'annotations', ignoreFieldsAnnotation)),
    ...applyOf(stringAt(metadata, 'annotations', applyAnnotation)),
  };
}

/**
 * What becomes of the object is written on it: when Git drops it, its generator may be gone, too. The hash has it, so
 * that a change of the generator reaches the objects that are there.
 */
function withDeletion(object: DesiredObject, deletion: 'delete' | 'orphan'): DesiredObject {
  const metadata = objectAt(object.manifest, 'metadata');
  const annotations = { [deletionAnnotation]: deletion, ...objectAt(metadata, 'annotations') };
  return { ...object, manifest: { ...object.manifest, metadata: { ...metadata, annotations } } };
}

/** Whether the paths can be read is asked where manifests are read, with file and line. */
function leavesOf(text: string | undefined): Pick<PreparedObject, 'leaves'> {
  const parsed = text === undefined ? undefined : parseFieldPatterns(text);
  return parsed?.ok === true ? { leaves: parsed.patterns } : {};
}

function applyOf(text: string | undefined): Pick<PreparedObject, 'apply'> {
  return text === 'create-only' || text === 'replace' ? { apply: text } : {};
}

interface Marks {
  readonly ref: ObjectRef;
  readonly hash: string;
  readonly applySetId: string;
}

/** A copy of the manifest with its namespace settled and our label and annotations on it. */
function marked({ manifest, origin }: DesiredObject, { ref, hash, applySetId }: Marks): JsonObject {
  const { namespace: _stated, ...metadata } = objectAt(manifest, 'metadata');
  return {
    ...asStored(manifest, ref),
    metadata: {
      ...metadata,
      ...(ref.namespace === '' ? {} : { namespace: ref.namespace }),
      labels: { ...objectAt(metadata, 'labels'), [partOfLabel]: applySetId },
      annotations: {
        ...objectAt(metadata, 'annotations'),
        [generatorAnnotation]: origin.generator,
        [desiredHashAnnotation]: hash,
      },
    },
  };
}

function asDriftPolicy(value: string | undefined): DriftPolicy | undefined {
  return value === 'correct' || value === 'report' || value === 'ignore' ? value : undefined;
}
