import {
  deletionAnnotation,
  desiredHashAnnotation,
  generatorAnnotation,
  pruneAnnotation,
} from '../model/apply-set.ts';
import { type JsonObject, stringAt, valueAt } from '../model/json.ts';
import { additionsOf, managedFieldsOf, ownershipOf } from '../model/managed-fields.ts';
import type { OwnedObject } from '../model/observation.ts';

/** The kind that an object was listed or watched as: items of a list do not say it themselves. */
export interface ReduceAs {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The little that is kept of a live object's metadata; managedFields, by far its largest part, become two fingerprints. */
export function reduceOwned(object: JsonObject, as: ReduceAs): OwnedObject {
  const metadata = (...keys: readonly string[]): string => stringAt(object, 'metadata', ...keys) ?? '';
  return {
    ref: {
      apiVersion: as.apiVersion,
      kind: as.kind,
      namespace: metadata('namespace'),
      name: metadata('name'),
    },
    uid: metadata('uid'),
    resourceVersion: metadata('resourceVersion'),
    generator: metadata('annotations', generatorAnnotation),
    desiredHash: metadata('annotations', desiredHashAnnotation),
    pruneDisabled: metadata('annotations', pruneAnnotation) === 'disabled',
    ...orphanOf(metadata('annotations', deletionAnnotation)),
    ownership: ownershipOf(object),
    additions: additionsOf(object),
    deleting: metadata('deletionTimestamp') !== '',
    version: versionOf(object),
  };
}

function orphanOf(deletion: string): Pick<OwnedObject, 'orphan'> {
  return deletion === 'orphan' || deletion === 'delete' ? { orphan: deletion === 'orphan' } : {};
}

function versionOf(object: JsonObject): string {
  const generation = valueAt(object, 'metadata', 'generation');
  const content =
    typeof generation === 'number'
      ? String(generation)
      : (stringAt(object, 'metadata', 'resourceVersion') ?? '');
  const times = managedFieldsOf(object).flatMap(({ subresource, time }) =>
    subresource === 'status' ? [] : (time ?? []),
  );
  return `${content} ${times.sort().at(-1) ?? ''}`;
}

/** Whether anything but the resourceVersion differs: controllers write status all the time, and that is no news here. */
export function differsInSubstance(a: OwnedObject, b: OwnedObject): boolean {
  return (
    a.uid !== b.uid ||
    a.ownership !== b.ownership ||
    a.additions !== b.additions ||
    a.generator !== b.generator ||
    a.desiredHash !== b.desiredHash ||
    a.pruneDisabled !== b.pruneDisabled ||
    a.orphan !== b.orphan ||
    a.deleting !== b.deleting
  );
}
