import type { AuditedPlace, AuditedWrite } from './audit-event.ts';

/** What is kept of one object, or of one collection. Everything in it is in the order of the log. */
interface Entry {
  writes: AuditedWrite[];
  /** Requests that deleted it, of its present or last life. */
  deletions: AuditedWrite[];
  /** When it was created, the last two times: RFC 3339. Kept only where there is a deletion to set it against. */
  creations: string[];
  /** Deletions up to here have been told of: RFC 3339. */
  toldUpTo: string;
}

const mostWrites = 16;
const mostWritesOfOne = 4;
const mostDeletions = 4;
/** About 1 KB each, and only of objects that Git wants. */
const defaultMostEntries = 20_000;

/** A text that names a place, for sets of them. */
export function placeKey({ group, resource, namespace, name }: AuditedPlace): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

/** The collection in which an object is. */
export function collectionOf(place: AuditedPlace): AuditedPlace {
  return { ...place, name: '' };
}

/** The last writes to each object, in bounded memory: what was written longest ago is forgotten first. */
export class WriteIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #mostEntries: number;

  constructor(mostEntries = defaultMostEntries) {
    this.#mostEntries = mostEntries;
  }

  /** Takes in a write. Writes must come in the order of the log. */
  take(write: AuditedWrite): void {
    switch (write.effect) {
      case 'deleted':
      case 'deleting':
        if (write.subresource === '') this.#takeDeletion(write);
        return;
      case 'created':
        if (write.subresource === '') this.#takeCreation(write);
        break;
      case 'updated':
        break;
    }
    if (!write.isOurs) keepWrite(this.#entry(write.place).writes, write);
  }

  /** Writes of others to an object, oldest first. */
  writesTo(place: AuditedPlace): readonly AuditedWrite[] {
    return this.#entries.get(placeKey(place))?.writes ?? [];
  }

  /**
   * The requests that ended an object's last life, by itself or with its whole collection, oldest first.
   * @param recreated it has been created again since: the life before that is meant.
   */
  deletionsOf(place: AuditedPlace, { recreated }: { readonly recreated: boolean }): AuditedWrite[] {
    const own = this.#entries.get(placeKey(place));
    const whole = this.#entries.get(placeKey(collectionOf(place)));
    const bornAt = own?.creations.at(recreated ? -2 : -1) ?? '';
    const since = own !== undefined && own.toldUpTo > bornAt ? own.toldUpTo : bornAt;
    return [...(own?.deletions ?? []), ...(whole?.deletions ?? [])]
      .filter(({ receivedAt }) => receivedAt > since)
      .sort((a, b) => (a.receivedAt < b.receivedAt ? -1 : 1));
  }

  /** The last deletions of an object, whether it lives again or not, oldest first. */
  lastDeletionsOf(place: AuditedPlace): readonly AuditedWrite[] {
    return this.#entries.get(placeKey(place))?.deletions ?? [];
  }

  /** What ended an object's last life has been told: it explains nothing that comes later. */
  markTold(place: AuditedPlace, options: { readonly recreated: boolean }): void {
    const last = this.deletionsOf(place, options).at(-1);
    if (last !== undefined) this.#entry(place).toldUpTo = last.receivedAt;
  }

  #takeDeletion(write: AuditedWrite): void {
    const entry = this.#entry(write.place);
    const { deletions, creations } = entry;
    const last = deletions.at(-1);
    const isNewLife = last !== undefined && (creations.at(-1) ?? '') > last.receivedAt;
    // Nothing goes twice: the deletion before was a dry run, or a creation is missing in the log.
    const before = isNewLife || last?.effect === 'deleted' ? [] : deletions;
    const same = before.find(({ requester }) => isSame(requester, write.requester));
    // Whoever asks again for the deletion of an object did it the first time; a collection is deleted anew each time.
    if (same !== undefined && write.place.name !== '') entry.deletions = before;
    else entry.deletions = [...before.filter((other) => other !== same), write].slice(-mostDeletions);
  }

  #takeCreation({ place, receivedAt }: AuditedWrite): void {
    const isTold = this.#entries.has(placeKey(place)) || this.#entries.has(placeKey(collectionOf(place)));
    if (!isTold) return;
    const entry = this.#entry(place);
    entry.creations = [...entry.creations.slice(-1), receivedAt];
  }

  #entry(place: AuditedPlace): Entry {
    const key = placeKey(place);
    const known = this.#entries.get(key);
    const entry = known ?? { writes: [], deletions: [], creations: [], toldUpTo: '' };
    // A map keeps the order in which keys were set: the first one is the one not touched for longest.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#mostEntries && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }
}

/** One who writes all the time must not push out the others. */
function keepWrite(writes: AuditedWrite[], write: AuditedWrite): void {
  const isAlike = (other: AuditedWrite): boolean =>
    other.requester.manager === write.requester.manager && other.subresource === write.subresource;
  if (writes.filter(isAlike).length >= mostWritesOfOne) writes.splice(writes.findIndex(isAlike), 1);
  else if (writes.length >= mostWrites) writes.shift();
  writes.push(write);
}

function isSame(a: AuditedWrite['requester'], b: AuditedWrite['requester']): boolean {
  return a.manager === b.manager && a.user === b.user;
}
