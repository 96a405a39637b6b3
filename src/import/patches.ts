import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../model/json.ts';
import type { MapReader } from './map-reader.ts';
import type { Notes, Path } from './notes.ts';
import { readTarget } from './patch-target.ts';
import { parseYamlText } from './yaml-text.ts';

const inKustomization =
  'Write the patch into a kustomization.yaml beside the source, where it means the same.';

/** `patches` of Kustomize, as Argo CD and Flux take them inline, as patches of an override. */
export function readPatches(parent: MapReader, key: string): JsonObject[] {
  return parent.maps(key).flatMap((reader) => {
    const text = reader.text('patch');
    const target = reader.map('target');
    const path = [...reader.path, 'patch'];
    reader.note('unsupported', 'options', {
      message: 'options of a patch have no equal',
      remedy: inKustomization,
    });
    const hasFile = reader.note('unsupported', 'path', {
      message: 'a patch in a file of its own is not read here',
      remedy: inKustomization,
    });
    reader.end();
    if (text === undefined) {
      if (!hasFile) parent.notes.fault(reader.path, 'a patch needs patch');
      return [];
    }
    const parsed = parsePatch(text, path, parent.notes);
    return parsed === undefined ? [] : toPatches(parsed, { target, path, notes: parent.notes });
  });
}

interface PatchPlace {
  readonly target: MapReader | undefined;
  readonly path: Path;
  readonly notes: Notes;
}

/** A patch that is parsed: a list is RFC 6902, a map is a strategic merge patch. */
export function toPatches(patch: JsonValue, { target, path, notes }: PatchPlace): JsonObject[] {
  if (Array.isArray(patch)) {
    const targets = target === undefined ? noTarget(path, notes) : readTarget(target);
    return targets.map((each) => ({ target: each, json: patch, optional: true }));
  }
  if (!isJsonObject(patch)) {
    notes.fault(path, 'must be a map, or a list of operations');
    return [];
  }
  const fault = notMergeable(patch, kindIsBuiltIn(patch, target));
  if (fault !== undefined) {
    target?.end();
    notes.add('unsupported', path, { message: fault, remedy: inKustomization });
    return [];
  }
  const merge = withoutIdentity(patch);
  // Without a target Kustomize insists that the object is there; with one it may find none.
  if (target === undefined) return [{ target: identityOf(patch), merge }];
  return readTarget(target).map((each) => ({ target: each, merge, optional: true }));
}

function parsePatch(text: string, path: Path, notes: Notes): JsonValue | undefined {
  if (text.includes('{{')) {
    notes.add('unsupported', path, {
      message: 'a template in a patch has no equal: patches are taken as they stand',
      remedy: 'Write an override for each group of clusters, each with its own patch.',
    });
    return undefined;
  }
  const parsed = parseYamlText(text);
  if (parsed.ok) return parsed.value;
  notes.fault(path, `the patch cannot be read: ${parsed.message}`);
  return undefined;
}

function noTarget(path: Path, notes: Notes): JsonObject[] {
  notes.fault(path, 'a list of operations needs a target');
  return [];
}

/** Groups whose lists Kustomize merges by key; it knows no schema of others, and replaces their lists. */
function kindIsBuiltIn(patch: JsonObject, target: MapReader | undefined): boolean {
  const group = target?.text('group') ?? groupOfPatch(patch);
  return group === undefined || /^(|apps|batch|policy|autoscaling|extensions)$|\.k8s\.io$/.test(group);
}

function groupOfPatch(patch: JsonObject): string | undefined {
  const apiVersion = stringAt(patch, 'apiVersion');
  if (apiVersion === undefined) return undefined;
  return apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
}

/** Lists that a strategic merge patch replaces as a merge patch does. */
const replacedLists = new Set([
  'args',
  'command',
  'resources',
  'verbs',
  'apiGroups',
  'resourceNames',
  'accessModes',
]);

/** Why RFC 7396 would not do the same; undefined where it does. */
function notMergeable(patch: JsonObject, isBuiltIn: boolean): string | undefined {
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) return `${key} of a strategic merge patch has no equal`;
    if (Array.isArray(value) && isBuiltIn && !replacedLists.has(key)) {
      return `the list ${key} is merged by Kustomize and would be replaced here`;
    }
    const below = isJsonObject(value) ? notMergeable(value, isBuiltIn) : undefined;
    if (below !== undefined) return below;
  }
  return undefined;
}

/** The patch alone, without the keys by which Kustomize finds the object. */
function withoutIdentity(patch: JsonObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = patch;
  if (!isJsonObject(metadata)) return rest;
  const { name: _name, namespace: _namespace, ...others } = metadata;
  return Object.keys(others).length === 0 ? rest : { metadata: others, ...rest };
}

function identityOf(patch: JsonObject): JsonObject {
  const entries = {
    apiVersion: stringAt(patch, 'apiVersion'),
    kind: stringAt(patch, 'kind'),
    name: stringAt(patch, 'metadata', 'name'),
    namespace: stringAt(patch, 'metadata', 'namespace'),
  };
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
