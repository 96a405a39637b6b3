import { decodeText } from '../../config/yaml/decode-text.ts';
import { briefly, parseManifests, type YamlDocument } from '../../config/yaml/parse-manifests.ts';
import type { Position } from '../../config/yaml/yaml-positions.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import { isJsonObject, type JsonObject, stringAt } from '../../model/json.ts';
import type { ObjectRef } from '../../model/object-ref.ts';
import { checkManifest } from './check-manifest.ts';
import { withoutServerFields } from './server-fields.ts';

/** An object as a file holds it, before any override. */
export interface ManifestObject {
  readonly ref: ObjectRef;
  readonly manifest: JsonObject;
  readonly document: number;
  /** Where the object's map starts: for an item of a List that of the item. */
  readonly line: number;
}

/** A fault in a file; which file is for the one who uses it to say, since equal files are read once. */
export interface FileFault {
  /** ManifestInvalid unless given. */
  readonly code?: ErrorCode;
  readonly message: string;
  readonly document: number;
  readonly line: number;
  readonly column?: number;
  /** Where it is in another file, that one's path from the fleet's root. */
  readonly file?: string;
}

export interface ManifestFile {
  readonly objects: readonly ManifestObject[];
  readonly faults: readonly FileFault[];
}

/** Reads the objects of one manifest file, with every fault in it. Never throws. */
export function readManifestBytes(bytes: Uint8Array): ManifestFile {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return { objects: [], faults: [{ message: decoded.message, document: 1, line: 1 }] };
  return readManifestText(decoded.text);
}

export function readManifestText(text: string): ManifestFile {
  const parsed = parseManifests(text, { file: '' });
  const faults: FileFault[] = parsed.faults.map(({ message, subject }) => ({
    message,
    document: subject.origin?.document ?? 1,
    line: subject.origin?.line ?? 1,
    ...(subject.origin?.column === undefined ? {} : { column: subject.origin.column }),
  }));
  const objects: ManifestObject[] = [];
  for (const document of parsed.documents) {
    for (const { value, path } of flattenLists(document.value, [])) {
      const read = readObject(value, path, document);
      faults.push(...read.faults);
      if (read.object !== undefined) objects.push(read.object);
    }
  }
  return { objects, faults: shortened(faults) };
}

const maxFaults = 100;

/** The first faults of a file, and how many more there are: a list of thousands helps nobody. */
function shortened(faults: readonly FileFault[]): readonly FileFault[] {
  const next = faults[maxFaults];
  if (next === undefined) return faults;
  const message = `and ${faults.length - maxFaults} more faults in this file`;
  return [...faults.slice(0, maxFaults), { ...next, message }];
}

type Path = readonly (string | number)[];

/** The objects in a document: itself, or the items of a List, also of a typed one such as ConfigMapList. */
function flattenLists(value: unknown, path: Path): { readonly value: unknown; readonly path: Path }[] {
  if (!isJsonObject(value)) return [{ value, path }];
  const kind = stringAt(value, 'kind') ?? '';
  const items = value['items'];
  // An empty list is null where Go wrote it.
  if (kind.endsWith('List') && items === null) return [];
  if (!kind.endsWith('List') || !Array.isArray(items)) return [{ value, path }];
  // As kubectl: what a typed list's own kind says holds for items that say neither.
  const implied =
    kind === 'List' ? {} : { apiVersion: value['apiVersion'] ?? null, kind: kind.slice(0, -'List'.length) };
  return items.flatMap((item, index) =>
    flattenLists(isJsonObject(item) && saysNoKind(item) ? { ...item, ...implied } : item, [
      ...path,
      'items',
      index,
    ]),
  );
}

function saysNoKind({ apiVersion, kind }: JsonObject): boolean {
  return [apiVersion, kind].every((text) => text === undefined || text === null || text === '');
}

function readObject(
  value: unknown,
  path: Path,
  document: YamlDocument,
): { readonly object?: ManifestObject; readonly faults: readonly FileFault[] } {
  const faultAt = (message: string, { line, column }: Position): FileFault => ({
    message: briefly(message),
    document: document.document,
    line,
    column,
  });
  if (!isJsonObject(value))
    return { faults: [faultAt('an item of a List must be an object', document.locate(path))] };
  const faults = checkManifest(value).map((fault) =>
    faultAt(fault.message, document.locate([...path, ...fault.path])),
  );
  if (faults.length > 0) return { faults };
  const manifest = withoutServerFields(value);
  const line = path.length === 0 ? document.line : document.locate(path).line;
  return { object: { ref: refOf(manifest), manifest, document: document.document, line }, faults: [] };
}

/** The ref of a checked manifest. */
export function refOf(manifest: JsonObject): ObjectRef {
  return {
    apiVersion: stringAt(manifest, 'apiVersion') ?? '',
    kind: stringAt(manifest, 'kind') ?? '',
    namespace: stringAt(manifest, 'metadata', 'namespace') ?? '',
    name: stringAt(manifest, 'metadata', 'name') ?? '',
  };
}
