import type { JsonObject } from '../model/json.ts';
import type { OwnedObject } from '../model/observation.ts';
import { groupKindOf, type ObjectRef, refKey } from '../model/object-ref.ts';
import type { Inventory, KindState, OwnedChange } from '../observe/inventory.ts';
import { healthReading, metadataReading } from '../observe/reading.ts';

/**
 * An inventory that knows of our own writes before the watch tells of them. Without it, a sync that starts between the
 * answer to a write and its event would take the old state for drift and write again.
 */
export class RecentWrites implements Inventory {
  readonly #inventory: Inventory;
  readonly #isWhole: (groupKind: string) => boolean;
  readonly #applied = new Map<string, OwnedObject>();
  readonly #deleted = new Map<string, { readonly uid: string; readonly isGone: boolean }>();

  /** @param isWhole of which kinds the inventory knows the health; none unless given. */
  constructor(inventory: Inventory, isWhole: (groupKind: string) => boolean = () => false) {
    this.#inventory = inventory;
    this.#isWhole = isWhole;
  }

  /** @param object the server's answer to our apply. */
  recordApplied(ref: ObjectRef, object: JsonObject): void {
    this.#deleted.delete(refKey(ref));
    const reading = this.#isWhole(groupKindOf(ref)) ? healthReading : metadataReading;
    this.#applied.set(refKey(ref), reading.reduce(object, ref));
  }

  /** A deletion was accepted: until the watch tells more, the object is gone or on its way out. */
  recordDeleted({ ref, uid }: OwnedObject, how: 'deleted' | 'deleting' | 'gone' | 'replaced'): void {
    this.#applied.delete(refKey(ref));
    this.#deleted.set(refKey(ref), { uid, isGone: how !== 'deleting' });
  }

  /** Forgets a write when the watch has told of it, or of anything later. */
  seen({ ref, before, after }: OwnedChange): void {
    const key = refKey(ref);
    const applied = this.#applied.get(key);
    // The removal of another object of that name, which we have replaced since, is no news.
    const isNews =
      after === undefined ? before?.uid === applied?.uid : applied !== undefined && !isOlder(after, applied);
    if (isNews) this.#applied.delete(key);
    if (after?.uid !== this.#deleted.get(key)?.uid) this.#deleted.delete(key);
  }

  /**
   * A kind was read whole: what that read did not show may have been deleted before it, and no event will tell. Where
   * the read began before our write, forgetting it costs one look at the object.
   */
  readWhole(groupKind: string): void {
    for (const [key, { ref }] of this.#applied)
      if (groupKindOf(ref) === groupKind && this.#inventory.get(ref) === undefined) this.#applied.delete(key);
  }

  get(ref: ObjectRef): OwnedObject | undefined {
    const key = refKey(ref);
    const told = this.#inventory.get(ref);
    const deleted = this.#deleted.get(key);
    if (deleted !== undefined && told?.uid === deleted.uid)
      return deleted.isGone ? undefined : { ...told, deleting: true };
    const applied = this.#applied.get(key);
    if (applied === undefined) return told;
    if (told !== undefined && !isOlder(told, applied)) {
      this.#applied.delete(key);
      return told;
    }
    return applied;
  }

  *owned(): Generator<OwnedObject> {
    const told = new Set<string>();
    for (const object of this.#inventory.owned()) {
      told.add(refKey(object.ref));
      const known = this.get(object.ref);
      if (known !== undefined) yield known;
    }
    for (const [key, object] of this.#applied) if (!told.has(key)) yield object;
  }

  kindState(groupKind: string): KindState {
    return this.#inventory.kindState(groupKind);
  }
}

/** Resource versions of one resource are ordered numbers. Source: KEP-5504, comparable resource versions. */
function isOlder(a: OwnedObject, b: OwnedObject): boolean {
  if (!/^\d+$/.test(a.resourceVersion) || !/^\d+$/.test(b.resourceVersion)) return false;
  return BigInt(a.resourceVersion) < BigInt(b.resourceVersion);
}
