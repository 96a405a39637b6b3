import type { Override, Patch } from '../../config/generator/generator.ts';
import type { DesiredObject, PatchedField } from '../../model/desired.ts';
import type { FleetError } from '../../model/fleet-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { formatRef } from '../../model/object-ref.ts';
import { namespaceOf, scopeLookup } from '../cluster-scoped-kinds.ts';
import { generatorFault, type GeneratorPath, originIn } from '../generators/generator-fault.ts';
import { checkManifest } from '../manifests/check-manifest.ts';
import { refOf } from '../manifests/manifest-file.ts';
import type { ValidEntry } from '../repository/fleet-repository.ts';
import { editsOfMerge, type FieldEdit } from './field-edit.ts';
import { jsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { compileTarget, type TargetMatcher } from './patch-target.ts';
import { afterEdit } from './patched-fields.ts';

/** An override and its index in the generator's list. */
export interface ActiveOverride {
  readonly index: number;
  readonly override: Override;
}

export interface Overridden {
  readonly objects: readonly DesiredObject[];
  readonly faults: readonly FleetError[];
  /** Patches that were for some object, as patchKey writes them. */
  readonly used: ReadonlySet<string>;
}

/** Names a patch within its generator. */
export function patchKey(override: number, patch: number): string {
  return `${override}.${patch}`;
}

/**
 * Applies the patches of the overrides in order. What no patch is for stays the very same. An object of which a patch
 * fails is left out: half patched it would be a surprise, and whichever is live stays as it is while there is a fault.
 */
export function applyOverrides(
  objects: readonly DesiredObject[],
  overrides: readonly ActiveOverride[],
  entry: ValidEntry,
): Overridden {
  const used = new Set<string>();
  const faults: FleetError[] = [];
  const patches = overrides.flatMap(preparePatches);
  if (patches.length === 0) return { objects, faults, used };
  const scopeOf = scopeLookup(objects);
  const patched: DesiredObject[] = [];
  for (const object of objects) {
    const namespace = namespaceOf(object, scopeOf);
    let current: DesiredObject | undefined = object;
    for (const patch of patches) {
      if (!patch.matches(current ?? object, namespace)) continue;
      used.add(patch.key);
      if (current === undefined) continue;
      const outcome = applyPatch(entry, current, patch);
      if (outcome.ok) current = outcome.object;
      else faults.push(...outcome.faults);
      if (!outcome.ok) current = undefined;
    }
    if (current !== undefined) patched.push(current);
  }
  return { objects: patched, faults, used };
}

interface PreparedPatch {
  readonly patch: Patch;
  readonly key: string;
  readonly path: GeneratorPath;
  readonly matches: TargetMatcher;
}

function preparePatches({ index, override }: ActiveOverride): PreparedPatch[] {
  return override.patches.map((patch, position) => ({
    patch,
    key: patchKey(index, position),
    path: ['spec', 'overrides', index, 'patches', position],
    matches: compileTarget(patch.target),
  }));
}

type Outcome =
  | { readonly ok: true; readonly object: DesiredObject }
  | { readonly ok: false; readonly faults: readonly FleetError[] };

function applyPatch(entry: ValidEntry, object: DesiredObject, { patch, path }: PreparedPatch): Outcome {
  const change = changeOf(object.manifest, patch, path);
  const failed = (message: string, at: GeneratorPath): FleetError =>
    generatorFault(entry, `${formatRef(object.ref)}: ${message}`, { path: at });
  if (!change.ok) return { ok: false, faults: [failed(change.message, change.path)] };
  const { manifest, edits } = change;
  const at = [...path, patch.change.kind];
  const problems = problemsOf(object, manifest);
  if (problems.length > 0) return { ok: false, faults: problems.map((problem) => failed(problem, at)) };
  const patched = edits.reduce<readonly PatchedField[]>(
    (fields, { edit, path: written }) => afterEdit(fields, edit, originIn(entry, written)),
    object.patched ?? [],
  );
  return { ok: true, object: { ...object, manifest, ...(patched.length === 0 ? {} : { patched }) } };
}

interface Written {
  readonly edit: FieldEdit;
  /** What in the generator says so. */
  readonly path: GeneratorPath;
}

type Change =
  | { readonly ok: true; readonly manifest: JsonObject; readonly edits: readonly Written[] }
  | { readonly ok: false; readonly message: string; readonly path: GeneratorPath };

function changeOf(manifest: JsonObject, { change }: Patch, path: GeneratorPath): Change {
  if (change.kind === 'merge') {
    const edits = editsOfMerge(manifest, change.merge);
    return {
      ok: true,
      manifest: mergePatch(manifest, change.merge),
      edits: edits.map((edit) => ({ edit, path: [...path, 'merge', ...edit.path] })),
    };
  }
  const result = jsonPatch(manifest, change.operations);
  if (!result.ok) {
    const { index, reason } = result;
    const { op = '', path: pointer = '' } = change.operations[index] ?? {};
    return {
      ok: false,
      message: `operation ${index}, ${op} ${pointer}: ${reason}`,
      path: [...path, 'json', index],
    };
  }
  const edits = result.edits.flatMap((made, index) =>
    made.map((edit) => ({ edit, path: [...path, 'json', index] })),
  );
  return { ok: true, manifest: result.manifest, edits };
}

/** A patch must leave an object that can be applied, and the same one. */
function problemsOf({ ref }: DesiredObject, manifest: JsonObject): string[] {
  const problems = checkManifest(manifest).map(({ message }) => message);
  if (problems.length > 0) return problems;
  const patched = refOf(manifest);
  const isSame = (['apiVersion', 'kind', 'namespace', 'name'] as const).every(
    (key) => ref[key] === patched[key],
  );
  return isSame ? [] : [`a patch may not change what the object is: it makes ${formatRef(patched)} of it`];
}
