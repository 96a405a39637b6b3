import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { openStateStore, type StateStore } from '../../../src/store/state-store.ts';

describe('kept renderings', () => {
  let stateDir: string;
  const stores: StateStore[] = [];
  const open = (readOnly = false): StateStore => {
    const store = openStateStore(stateDir, { readOnly });
    stores.push(store);
    return store;
  };

  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'fleetwright-renderings-'));
  });
  afterEach(() => {
    for (const store of stores.splice(0)) store.close();
    rmSync(stateDir, { recursive: true });
  });

  it('are there after a restart, word for word', () => {
    open().keepRendering('a', '{"objects":["ä"]}');
    expect(open().rendering('a')).to.equal('{"objects":["ä"]}');
    expect(open().rendering('b')).to.equal(undefined);
  });

  it('are read and never written in a folder that is only read', () => {
    const store = open();
    store.keepRendering('a', 'one');
    const reader = open(true);
    reader.keepRendering('b', 'two');
    expect([reader.rendering('a'), store.rendering('b')]).to.deep.equal(['one', undefined]);
  });

  it('make room by leaving the one that was not used for longest', () => {
    const store = open();
    // Random text of 30 MiB does not become much smaller: two of three fit.
    const text = (): string => randomBytes(15 * 1024 * 1024).toString('latin1');
    const [a, b, c] = [text(), text(), text()];
    store.keepRendering('a', a);
    store.keepRendering('b', b);
    expect(store.rendering('a') === a).to.equal(true);
    store.keepRendering('c', c);
    store.keepRendering('d', text());
    store.keepRendering('e', text());
    const left = ['a', 'b', 'c', 'd', 'e'].filter((name) => store.rendering(name) !== undefined);
    expect(left).to.include.members(['d', 'e']).and.to.not.include('b');
  });
});
