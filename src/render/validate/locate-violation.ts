import { valueAtPath } from '../../config/parse-document.ts';
import { decodeText } from '../../config/yaml/decode-text.ts';
import type { DesiredObject } from '../../model/desired.ts';
import type { Place } from '../../model/finding.ts';
import { stringAt } from '../../model/json.ts';
import type { Origin } from '../../model/origin.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { type ObjectInFile, objectInFile } from '../object-in-file.ts';
import { patchOf } from '../overrides/patched-fields.ts';
import { maskTemplates } from './mask-templates.ts';
import type { Violation } from './schema/violation.ts';

/** Finds where in the repository a field of an object is written, reading each file once. */
export class ViolationLocator {
  readonly #snapshot: Snapshot;
  readonly #texts = new Map<string, Promise<string | undefined>>();

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** The patch that wrote the field last, or its line in the manifest; the object's own where neither says it. */
  async locate({ origin, patched = [], manifest }: DesiredObject, violation: Violation): Promise<Place> {
    const patch = patchOf(patched, violation.path);
    if (patch !== undefined) return placeOf(patch.origin);
    const place = placeOf(origin);
    const text = (await this.#textOf(origin.file)) ?? '';
    const found = [text, maskTemplates(text)]
      .map((each) => objectInFile(each, origin))
      .find((object) => object !== undefined && isSameObject(object, manifest));
    if (found === undefined) return place;
    const { line, column } = found.locate(violation.path, partFor(violation, found));
    return { ...place, line, column };
  }

  #textOf(file: string): Promise<string | undefined> {
    const known = this.#texts.get(file) ?? this.#read(file);
    this.#texts.set(file, known);
    return known;
  }

  async #read(file: string): Promise<string | undefined> {
    try {
      const decoded = decodeText(await this.#snapshot.read(file));
      return decoded.ok ? decoded.text : undefined;
    } catch {
      // That it cannot be read is a fault of its own, told where it was rendered.
      return undefined;
    }
  }
}

function placeOf({ file, document, line, column }: Origin): Place {
  return { file, document, line, ...(column !== undefined && { column }) };
}

/** A tool may have made another object of the one in the file: then its lines say nothing of fields. */
function isSameObject({ value }: ObjectInFile, manifest: DesiredObject['manifest']): boolean {
  return ['apiVersion', 'kind'].every((key) => stringAt(value, key) === stringAt(manifest, key));
}

/** A scalar's own place, where it is written out and its value is what is wrong; the key of anything else. */
function partFor({ path, isUnknown }: Violation, { value }: ObjectInFile): 'key' | 'value' {
  const found = valueAtPath(value ?? null, path);
  return isUnknown === true || found === undefined || typeof found === 'object' ? 'key' : 'value';
}
