import { isSameHealth } from '../model/health.ts';
import { groupKindOf, type ObjectRef } from '../model/object-ref.ts';
import type { OwnedObject } from '../model/observation.ts';
import type { OwnedChange } from './inventory.ts';
import { differsInSubstance } from './reduce-owned.ts';

type Place = Pick<ObjectRef, 'namespace' | 'name'>;

/** The owned objects of one cluster, by kind. Each write tells what changed in substance. */
export class OwnedStore {
  readonly #kinds = new Map<string, Map<string, OwnedObject>>();
  readonly #texts = new Map<string, string>();

  /** @param closely every write to the object is news, also one that metadata tells nothing else of. */
  put(owned: OwnedObject, closely = false): OwnedChange | undefined {
    const kind = this.#kindOf(groupKindOf(owned.ref));
    const key = keyOf(owned.ref);
    const before = kind.get(key);
    const after = this.#compact(owned, before);
    kind.set(key, after);
    if (before === undefined) return { ref: after.ref, after };
    const isNews = differsInSubstance(before, after) || (closely && before.version !== after.version);
    if (isNews) return { ref: after.ref, before, after };
    return isSameHealth(before.health, after.health)
      ? undefined
      : { ref: after.ref, before, after, only: 'health' };
  }

  remove(ref: ObjectRef): OwnedChange | undefined {
    const kind = this.#kinds.get(groupKindOf(ref));
    const before = kind?.get(keyOf(ref));
    if (kind === undefined || before === undefined) return undefined;
    kind.delete(keyOf(ref));
    return { ref: before.ref, before };
  }

  /** Removes what a whole read of the kind did not show. */
  removeOthers(groupKind: string, seen: ReadonlySet<string>): OwnedChange[] {
    const gone = [...(this.#kinds.get(groupKind) ?? [])].filter(([key]) => !seen.has(key));
    return gone.flatMap(([, owned]) => this.remove(owned.ref) ?? []);
  }

  /** Drops a kind that nobody asks for any more; that is no change in the cluster. */
  forget(groupKind: string): void {
    this.#kinds.delete(groupKind);
  }

  get(ref: ObjectRef): OwnedObject | undefined {
    return this.#kinds.get(groupKindOf(ref))?.get(keyOf(ref));
  }

  *owned(): IterableIterator<OwnedObject> {
    for (const kind of this.#kinds.values()) yield* kind.values();
  }

  #kindOf(groupKind: string): Map<string, OwnedObject> {
    let kind = this.#kinds.get(groupKind);
    if (kind === undefined) this.#kinds.set(groupKind, (kind = new Map<string, OwnedObject>()));
    return kind;
  }

  /** Thousands of objects share a few namespaces and generators; each parsed event brings its own copy of them. */
  #compact(owned: OwnedObject, before: OwnedObject | undefined): OwnedObject {
    const ref =
      before?.ref.apiVersion === owned.ref.apiVersion
        ? before.ref
        : { ...owned.ref, namespace: this.#shared(owned.ref.namespace) };
    return { ...owned, ref, generator: this.#shared(owned.generator) };
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

/** What tells objects of one kind apart. */
export function keyOf(ref: Place): string {
  return `${ref.namespace}/${ref.name}`;
}
