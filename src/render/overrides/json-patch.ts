import { applyPatch, type Operation } from 'rfc6902';

import type { JsonOperation } from '../../config/generator/generator.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../../model/json.ts';
import type { FieldEdit, FieldPath } from './field-edit.ts';
import { formatPointer, locate } from './json-pointer.ts';
import { mapKeys } from './safe-keys.ts';

export type JsonPatchResult =
  | {
      readonly ok: true;
      readonly manifest: JsonObject;
      /** What each operation did, in order. */
      readonly edits: readonly (readonly FieldEdit[])[];
    }
  /** Nothing is applied where one operation fails. */
  | { readonly ok: false; readonly index: number; readonly reason: string };

/** Values that copies may add to an object; each could double it. */
const maxCopied = 100_000;

/**
 * Applies the operations in order, all or none. Nothing that is passed in is changed.
 * Source: RFC 6902.
 */
export function jsonPatch(target: JsonObject, operations: readonly JsonOperation[]): JsonPatchResult {
  const document = new PatchedDocument(target);
  const edits: FieldEdit[][] = [];
  for (const [index, operation] of operations.entries()) {
    try {
      edits.push(document.apply(operation));
    } catch (error) {
      return { ok: false, index, reason: error instanceof Error ? error.message : String(error) };
    }
  }
  return { ok: true, manifest: document.result(), edits };
}

/** rfc6902 passes over keys such as 'constructor' and follows inherited ones such as 'toString': none is left bare. */
const mark = '\u0000';
const guard = (key: string): string => mark + key;
const unguard = (key: string): string => key.slice(mark.length);

/**
 * A copy that is changed in place. What rfc6902 is lax about is checked before: that a place exists, and that an index
 * is one. copy and move are made of what it does by the book.
 */
class PatchedDocument {
  readonly #document: JsonObject;
  #copied = 0;

  constructor(target: JsonObject) {
    this.#document = mapKeys(target, guard);
  }

  result(): JsonObject {
    return mapKeys(this.#document, unguard);
  }

  /** @throws Error that says why the operation cannot be done. */
  apply(operation: JsonOperation): FieldEdit[] {
    switch (operation.op) {
      case 'add':
        return [this.#add(operation.path, mapKeys(operation.value, guard))];
      case 'replace': {
        const { path } = this.#existing(operation.path);
        this.#run({ op: 'replace', path: formatPointer(path), value: mapKeys(operation.value, guard) });
        return [editOf('set', path)];
      }
      case 'remove':
        return [this.#remove(operation.path)];
      case 'test':
        this.#test(operation.path, operation.value);
        return [];
      case 'copy': {
        const { value } = this.#existing(operation.from);
        this.#copied += countValues(value);
        if (this.#copied > maxCopied) throw new Error(`more than ${maxCopied} values would be copied`);
        return [this.#add(operation.path, structuredClone(value))];
      }
      case 'move': {
        const { value } = this.#existing(operation.from);
        return [this.#remove(operation.from), this.#add(operation.path, value)];
      }
    }
  }

  #add(pointer: string, value: JsonValue): FieldEdit {
    const place = this.#place(pointer);
    const { path, parent } = place;
    const isList = !isJsonObject(parent);
    if (isList && Number(path.at(-1)) > parent.length)
      throw new Error(`the list has ${parent.length} items, and ${pointer} is beyond its end`);
    this.#run({ op: 'add', path: formatPointer(path), value });
    return editOf(isList ? 'insert' : 'set', path);
  }

  #remove(pointer: string): FieldEdit {
    const { path } = this.#existing(pointer);
    this.#run({ op: 'remove', path: formatPointer(path) });
    return editOf('remove', path);
  }

  #test(pointer: string, expected: JsonValue): void {
    const { value } = this.#existing(pointer);
    if (!jsonEqual(mapKeys(value, unguard), expected)) throw new Error(`${pointer} has another value`);
  }

  #place(pointer: string) {
    const place = locate(this.#document, pointer, guard);
    if (!place.ok) throw new Error(place.reason);
    return place;
  }

  #existing(pointer: string): { readonly path: FieldPath; readonly value: JsonValue } {
    const { path, value } = this.#place(pointer);
    if (value === undefined) throw new Error(`there is no ${pointer}`);
    return { path, value };
  }

  #run(operation: Operation): void {
    const [error] = applyPatch(this.#document, [operation]);
    if (error !== null && error !== undefined) throw error;
  }
}

function editOf(kind: FieldEdit['kind'], path: FieldPath): FieldEdit {
  return { kind, path: path.map((step) => (typeof step === 'string' ? unguard(step) : step)) };
}

function countValues(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 1);
}
