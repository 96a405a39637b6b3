import { didYouMean } from '../config/schema/suggestion.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../model/json.ts';
import type { FindingKind } from '../model/import-result.ts';
import type { Notes, Path } from './notes.ts';

/**
 * Reads a map of a foreign document key by key. A value of the wrong type is a fault and counts as missing, null
 * counts as missing, and `end` faults every key that was never asked for: so no key is passed over in silence, and
 * the keys that a translation knows are listed nowhere twice.
 */
export class MapReader {
  readonly value: JsonObject;
  readonly path: Path;
  readonly notes: Notes;
  readonly #known = new Set<string>();

  constructor(value: JsonObject, path: Path, notes: Notes) {
    this.value = value;
    this.path = path;
    this.notes = notes;
  }

  any(key: string): JsonValue | undefined {
    this.#known.add(key);
    return Object.hasOwn(this.value, key) ? (this.value[key] ?? undefined) : undefined;
  }

  has(key: string): boolean {
    return this.any(key) !== undefined;
  }

  text(key: string): string | undefined {
    return this.#typed(key, 'text', (value) => typeof value === 'string');
  }

  flag(key: string): boolean | undefined {
    return this.#typed(key, 'true or false', (value) => typeof value === 'boolean');
  }

  map(key: string): MapReader | undefined {
    const value = this.#typed(key, 'a map', isJsonObject);
    return value && new MapReader(value, [...this.path, key], this.notes);
  }

  /** A list of maps; items that are none are faults and left out. */
  maps(key: string): MapReader[] {
    return this.#list(key).flatMap((item, index) => {
      const path = [...this.path, key, index];
      if (isJsonObject(item)) return [new MapReader(item, path, this.notes)];
      this.notes.fault(path, 'must be a map');
      return [];
    });
  }

  /** A list of texts; items that are none are faults and left out. */
  texts(key: string): string[] {
    return this.#list(key).filter((item, index): item is string => {
      if (typeof item === 'string') return true;
      this.notes.fault([...this.path, key, index], 'must be text');
      return false;
    });
  }

  /** A map of texts; values that are none are faults and left out. */
  textMap(key: string): Record<string, string> {
    const map = this.map(key);
    if (map === undefined) return {};
    const entries = Object.keys(map.value).map((name) => [name, map.text(name)] as const);
    return Object.fromEntries(
      entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
    );
  }

  /** Says something of a key where it is there, and whether it is. */
  note(
    kind: FindingKind,
    key: string,
    said: { readonly message: string; readonly remedy?: string },
  ): boolean {
    const isThere = this.has(key);
    if (isThere) this.notes.add(kind, [...this.path, key], said);
    return isThere;
  }

  /** Faults every key that was not asked for. */
  end(): void {
    for (const key of Object.keys(this.value)) {
      if (this.#known.has(key)) continue;
      this.notes.unknownKey(this.path, key, didYouMean(key, [...this.#known]));
    }
  }

  #list(key: string): readonly JsonValue[] {
    return this.#typed(key, 'a list', (value) => Array.isArray(value)) ?? [];
  }

  #typed<T extends JsonValue>(
    key: string,
    wanted: string,
    isOfType: (value: JsonValue) => value is T,
  ): T | undefined {
    const value = this.any(key);
    if (value === undefined || isOfType(value)) return value;
    this.notes.fault([...this.path, key], `must be ${wanted}`);
    return undefined;
  }
}
