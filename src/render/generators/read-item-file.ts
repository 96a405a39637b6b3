import { decodeText } from '../../config/yaml/decode-text.ts';
import { parseYaml } from '../../config/yaml/parse-manifests.ts';
import { FleetError } from '../../model/fleet-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';
import type { Origin } from '../../model/origin.ts';
import type { FileFault } from '../manifests/manifest-file.ts';
import { unreadableFile } from '../manifests/unreadable-file.ts';
import type { SourceContext } from '../render-source.ts';

/** The maps in a file of `each.files`, in their order, and what is wrong with it. */
export interface ItemFile {
  readonly maps: readonly JsonObject[];
  readonly faults: readonly FileFault[];
}

/** Reads YAML or JSON: a document is an item, or a list of items. Files of equal content are parsed once. */
export async function readItemFile(
  { path, oid, generator }: { readonly path: string; readonly oid: string; readonly generator: string },
  { snapshot, cache }: SourceContext,
): Promise<{ readonly maps: readonly JsonObject[]; readonly faults: readonly FleetError[] }> {
  const origin = { generator, file: path };
  try {
    let file = cache.itemFiles.get(oid);
    if (file === undefined) {
      const bytes = await cache.limit(() => snapshot.read(path));
      file = parseItems(bytes);
      cache.itemFiles.set(oid, file, bytes.byteLength);
    }
    return { maps: file.maps, faults: file.faults.map((fault) => faultIn(fault, origin)) };
  } catch (error) {
    return { maps: [], faults: [unreadableFile(error, origin)] };
  }
}

function faultIn({ message, ...place }: FileFault, origin: Pick<Origin, 'generator' | 'file'>): FleetError {
  return new FleetError('ConfigInvalid', message, { origin: { ...origin, ...place } });
}

function parseItems(bytes: Uint8Array): ItemFile {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return { maps: [], faults: [{ message: decoded.message, document: 1, line: 1 }] };
  const parsed = parseYaml(decoded.text, { file: '' });
  const faults = parsed.faults.map(({ message, subject: { origin } }): FileFault => ({
    message,
    document: origin?.document ?? 1,
    line: origin?.line ?? 1,
    ...(origin?.column === undefined ? {} : { column: origin.column }),
  }));
  const maps: JsonObject[] = [];
  for (const { value, document, locate } of parsed.values) {
    const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    for (const [index, item] of items.entries()) {
      if (isJsonObject(item)) maps.push(item);
      else {
        const message = `an item must be a map, not ${JSON.stringify(item).slice(0, 60)}`;
        faults.push({ message, document, ...locate(Array.isArray(value) ? [index] : []) });
      }
    }
  }
  return { maps, faults };
}
