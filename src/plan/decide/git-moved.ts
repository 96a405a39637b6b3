import { desiredHashAnnotation, generatorAnnotation } from '../../model/apply-set.ts';
import { type JsonObject, stringAt } from '../../model/json.ts';
import { claims, managedFieldsOf, ownEntry } from '../../model/managed-fields.ts';
import type { Baseline } from '../../model/observation.ts';
import type { PreparedObject } from '../../model/plan.ts';

/**
 * Whether Git wants something else of an object of ours than what was last written: then it is applied, whatever the
 * policy for drift. Our annotations on the object tell what was written; one that others edited is no longer among
 * our fields and tells nothing, so that an edit cannot pass for a commit.
 */
export function gitMoved(object: PreparedObject, live: JsonObject, baseline: Baseline | undefined): boolean {
  return contentMoved(object, live, baseline) || generatorMoved(object, live);
}

function contentMoved(object: PreparedObject, live: JsonObject, baseline: Baseline | undefined): boolean {
  if (annotation(live, desiredHashAnnotation) === object.hash) return false;
  if (baseline?.uid === stringAt(live, 'metadata', 'uid')) return baseline?.desiredHash !== object.hash;
  // Without any memory and any trace of ours, Git's wish is the safer guess.
  return ownEntry(managedFieldsOf(live)) === undefined || isOurs(live, desiredHashAnnotation);
}

function generatorMoved(object: PreparedObject, live: JsonObject): boolean {
  return (
    annotation(live, generatorAnnotation) !== object.origin.generator && isOurs(live, generatorAnnotation)
  );
}

function annotation(live: JsonObject, key: string): string | undefined {
  return stringAt(live, 'metadata', 'annotations', key);
}

/** Whether the annotation is still as we wrote it. */
function isOurs(live: JsonObject, key: string): boolean {
  const own = ownEntry(managedFieldsOf(live));
  return (
    own !== undefined && claims(own.fields, [{ field: 'metadata' }, { field: 'annotations' }, { field: key }])
  );
}
