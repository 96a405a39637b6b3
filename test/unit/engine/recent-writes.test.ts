import { expect } from 'chai';

import { RecentWrites } from '../../../src/engine/recent-writes.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { OwnedObject } from '../../../src/model/observation.ts';
import { refKey } from '../../../src/model/object-ref.ts';
import { OwnedStore } from '../../../src/observe/owned-store.ts';
import type { Inventory } from '../../../src/observe/inventory.ts';
import { owned, refOf } from '../plan/objects.ts';

const ref = refOf('ConfigMap/web');

/** A watched cluster whose events arrive when the test says so. */
class Watched {
  readonly #store = new OwnedStore();
  readonly writes: RecentWrites;

  constructor(...objects: readonly OwnedObject[]) {
    for (const object of objects) this.#store.put(object);
    const inventory: Inventory = {
      kindState: () => ({ state: 'synced' }),
      owned: () => this.#store.owned(),
      get: (key) => this.#store.get(key),
    };
    this.writes = new RecentWrites(inventory);
  }

  /** An event ADDED or MODIFIED. */
  arrives(object: OwnedObject): void {
    const change = this.#store.put(object);
    if (change !== undefined) this.writes.seen(change);
  }

  /** An event DELETED: gone, or without our label. */
  leaves(): void {
    const change = this.#store.remove(ref);
    if (change !== undefined) this.writes.seen(change);
  }

  /** What the inventory says: the resourceVersion, 'deleting', or 'none'. */
  get says(): string {
    const known = this.writes.get(ref);
    if (known === undefined) return 'none';
    return known.deleting ? 'deleting' : known.resourceVersion;
  }

  get names(): string[] {
    return [...this.writes.owned()].map((object) => refKey(object.ref));
  }
}

const at = (resourceVersion: string, changes: Partial<OwnedObject> = {}): OwnedObject =>
  owned('ConfigMap/web', { uid: 'uid-1', resourceVersion, ownership: `o${resourceVersion}`, ...changes });

/** The answer to our apply. */
const answer = (resourceVersion: string, uid = 'uid-1'): JsonObject => ({
  metadata: { name: 'web', namespace: 'shop', uid, resourceVersion },
});

describe('RecentWrites', () => {
  it('knows what we wrote before the watch tells', () => {
    const watched = new Watched(at('5'));
    watched.writes.recordApplied(ref, answer('8'));
    expect(watched.says).to.equal('8');
  });

  it('does not take an event from before our write for news', () => {
    const watched = new Watched(at('5'));
    watched.writes.recordApplied(ref, answer('8'));
    watched.arrives(at('7'));
    expect(watched.says).to.equal('8');
    watched.arrives(at('8'));
    expect(watched.says).to.equal('8');
    watched.arrives(at('9'));
    expect(watched.says).to.equal('9');
  });

  it('compares versions as numbers, however long', () => {
    const watched = new Watched(at('99'));
    watched.writes.recordApplied(ref, answer('100'));
    expect(watched.says).to.equal('100');
    const long = new Watched(at('9007199254740992'));
    long.writes.recordApplied(ref, answer('9007199254740993'));
    expect(long.says).to.equal('9007199254740993');
  });

  it('believes the watch where versions are no numbers', () => {
    const watched = new Watched(at('abc'));
    watched.writes.recordApplied(ref, answer('abd'));
    expect(watched.says).to.equal('abc');
  });

  it('knows an object that we created before the watch tells', () => {
    const watched = new Watched();
    watched.writes.recordApplied(ref, answer('8'));
    expect(watched.says).to.equal('8');
    expect(watched.names).to.deep.equal(['ConfigMap/shop/web']);
    watched.arrives(at('8'));
    expect(watched.names).to.deep.equal(['ConfigMap/shop/web']);
  });

  it('forgets an object that others deleted, or whose label they took off, after our write', () => {
    const watched = new Watched(at('5'));
    watched.writes.recordApplied(ref, answer('8'));
    watched.arrives(at('8'));
    watched.leaves();
    expect(watched.says).to.equal('none');
    expect(watched.names).to.deep.equal([]);
  });

  it('keeps what we created in place of one whose removal arrives late', () => {
    const watched = new Watched(at('5', { uid: 'uid-0' }));
    watched.writes.recordApplied(ref, answer('8', 'uid-1'));
    watched.leaves();
    expect(watched.says).to.equal('8');
  });

  it('knows that what we deleted is gone before the watch tells', () => {
    const watched = new Watched(at('5'));
    watched.writes.recordDeleted(at('5'), 'deleted');
    expect(watched.says).to.equal('none');
    expect(watched.names).to.deep.equal([]);
    watched.leaves();
    expect(watched.says).to.equal('none');
  });

  it('knows that what we deleted is on its way out while a finalizer holds it', () => {
    const watched = new Watched(at('5'));
    watched.writes.recordDeleted(at('5'), 'deleting');
    expect(watched.says).to.equal('deleting');
    watched.arrives(at('6', { additions: 'x' }));
    expect(watched.says).to.equal('deleting');
    watched.leaves();
    expect(watched.says).to.equal('none');
  });

  it('sees one that others created after we had deleted it', () => {
    const watched = new Watched(at('5'));
    watched.writes.recordDeleted(at('5'), 'deleted');
    watched.leaves();
    watched.arrives(at('9', { uid: 'uid-2' }));
    expect(watched.says).to.equal('9');
  });

  it('sees one that others created although the removal before it was never told', () => {
    const watched = new Watched(at('5'));
    watched.writes.recordDeleted(at('5'), 'replaced');
    watched.arrives(at('9', { uid: 'uid-2' }));
    expect(watched.says).to.equal('9');
  });

  it('sees one that we created after we had deleted it', () => {
    const watched = new Watched(at('5'));
    watched.writes.recordDeleted(at('5'), 'deleted');
    watched.writes.recordApplied(ref, answer('9', 'uid-2'));
    expect(watched.says).to.equal('9');
    watched.leaves();
    expect(watched.says).to.equal('9');
    watched.arrives(at('9', { uid: 'uid-2' }));
    expect(watched.names).to.deep.equal(['ConfigMap/shop/web']);
  });

  it('forgets a creation that a whole read of the kind did not show: it may be gone without an event', () => {
    const watched = new Watched();
    watched.writes.recordApplied(ref, answer('8'));
    watched.writes.readWhole('Secret');
    expect(watched.says).to.equal('8');
    watched.writes.readWhole('ConfigMap');
    expect(watched.says).to.equal('none');
  });
});
