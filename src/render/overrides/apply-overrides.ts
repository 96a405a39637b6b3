import type { Override, Patch, PatchTarget } from '../../config/generator/generator.ts';
import type { DesiredObject } from '../../model/desired.ts';
import { FleetError } from '../../model/fleet-error.ts';
import { formatRef, groupOf } from '../../model/object-ref.ts';
import { checkManifest } from '../manifests/check-manifest.ts';
import type { GeneratorEntry } from '../repository/fleet-repository.ts';
import { refOf } from '../manifests/manifest-file.ts';
import { mergePatch } from './merge-patch.ts';

/** An override and its index in the generator's list. */
export interface ActiveOverride {
  readonly index: number;
  readonly override: Override;
}

type ValidEntry = Extract<GeneratorEntry, { state: 'valid' }>;

export interface Overridden {
  readonly objects: readonly DesiredObject[];
  readonly faults: readonly FleetError[];
}

/**
 * Applies the patches of the overrides in order. What no patch is for keeps its very manifest. `complete` says that
 * every file of the source was read; only then is a patch without a target a fault.
 */
export function applyOverrides(
  objects: readonly DesiredObject[],
  overrides: readonly ActiveOverride[],
  { entry, complete }: { readonly entry: ValidEntry; readonly complete: boolean },
): Overridden {
  const faults: FleetError[] = [];
  let current = objects;
  for (const { index, override } of overrides) {
    for (const [position, patch] of override.patches.entries()) {
      const path = ['spec', 'overrides', index, 'patches', position];
      const applied = applyPatch(current, patch);
      current = applied.objects;
      faults.push(...applied.messages.map((message) => patchFault(entry, message, [...path, 'merge'])));
      if (applied.matched === 0 && complete && !patch.optional) {
        const message = `no object of this source is ${describeTarget(patch.target)}; set optional: true where that is meant`;
        faults.push(patchFault(entry, message, [...path, 'target']));
      }
    }
  }
  return { objects: current, faults };
}

function applyPatch(
  objects: readonly DesiredObject[],
  { target, change }: Patch,
): {
  readonly objects: readonly DesiredObject[];
  readonly matched: number;
  readonly messages: readonly string[];
} {
  let matched = 0;
  const messages: string[] = [];
  const patched = objects.map((object) => {
    if (!isTarget(target, object)) return object;
    matched++;
    const manifest = change.kind === 'merge' ? mergePatch(object.manifest, change.merge) : object.manifest;
    const problems = checkManifest(manifest).map(({ message }) => message);
    const ref = refOf(manifest);
    if (problems.length === 0 && formatIdentity(ref) !== formatIdentity(object.ref)) {
      problems.push(`a patch may not change what the object is: it makes ${formatRef(ref)} of it`);
    }
    if (problems.length === 0) return { ...object, manifest };
    messages.push(...problems.map((problem) => `${formatRef(object.ref)}: ${problem}`));
    return object;
  });
  return { objects: matched === 0 ? objects : patched, matched, messages };
}

function formatIdentity({ apiVersion, kind, namespace, name }: DesiredObject['ref']): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

function isTarget(target: PatchTarget, { ref, defaultNamespace }: DesiredObject): boolean {
  const holds = (wanted: string | undefined, actual: string): boolean =>
    wanted === undefined || wanted === actual;
  return (
    holds(target.kind, ref.kind) &&
    holds(target.name, ref.name) &&
    holds(target.apiVersion, ref.apiVersion) &&
    holds(target.group, groupOf(ref.apiVersion)) &&
    holds(target.namespace, ref.namespace === '' ? defaultNamespace : ref.namespace)
  );
}

function describeTarget(target: PatchTarget): string {
  return Object.entries(target)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(', ');
}

function patchFault(
  { generator, file, document }: ValidEntry,
  message: string,
  path: readonly (string | number)[],
): FleetError {
  const at = document.locate(path, 'key');
  return new FleetError('RenderFailed', message, {
    origin: {
      generator: generator.name,
      file,
      document: document.document,
      line: at.line,
      column: at.column,
    },
  });
}
