import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';

import { FleetError } from '../../../src/model/fleet-error.ts';
import { openStateStore } from '../../../src/store/state-store.ts';
import { baselineOf, useStateDir } from './store-fixture.ts';

describe('the state database', () => {
  const stateDir = useStateDir();
  const file = (): string => join(stateDir(), 'state.db');

  /** Opens and closes, and tells the names of files that were set aside. */
  function opened(): { readonly setAside: readonly string[]; readonly baselines: number } {
    const setAside: string[] = [];
    const store = openStateStore(stateDir(), { onSetAside: (name) => setAside.push(name) });
    try {
      return { setAside, baselines: store.baselines('berlin').size };
    } finally {
      store.close();
    }
  }

  function filled(objects: number): void {
    const store = openStateStore(stateDir());
    store.saveBaselines(
      'berlin',
      Array.from({ length: objects }, (_, index) => baselineOf(`cm-${index}`)),
      [],
    );
    store.close();
  }

  it('makes a folder and files that nobody else can read', () => {
    const dir = join(stateDir(), 'a', 'b');
    openStateStore(dir).close();
    expect(statSync(dir).mode & 0o777).to.equal(0o700);
    expect(statSync(join(dir, 'state.db')).mode & 0o777).to.equal(0o600);
  });

  it('sets a file aside that is no database, whole, and starts anew', () => {
    writeFileSync(file(), 'not a database at all, '.repeat(500));
    const { setAside, baselines } = opened();
    expect(baselines).to.equal(0);
    expect(setAside).to.have.length(1);
    expect(readFileSync(setAside[0]!, 'utf8')).to.equal('not a database at all, '.repeat(500));
    expect(opened().setAside).to.deep.equal([]);
  });

  it('sets a database aside that is broken in the middle', () => {
    filled(5_000);
    const bytes = readFileSync(file());
    bytes.fill(0xab, 16_384, 16_384 + 40_960);
    writeFileSync(file(), bytes);
    expect(opened()).to.have.property('baselines', 0);
    expect(readdirSync(stateDir()).some((name) => name.startsWith('state.db.unreadable-'))).to.equal(true);
  });

  it('sets a database of another version aside', () => {
    filled(1);
    const database = new DatabaseSync(file());
    database.exec('PRAGMA user_version = 99');
    database.close();
    const { setAside, baselines } = opened();
    expect({ count: setAside.length, baselines }).to.deep.equal({ count: 1, baselines: 0 });
  });

  it('leaves a database alone that another process keeps busy', () => {
    filled(1);
    const other = new DatabaseSync(file());
    other.exec('BEGIN IMMEDIATE');
    try {
      expect(() => opened())
        .to.throw(FleetError)
        .with.property('code', 'DeadlineExceeded');
    } finally {
      other.exec('ROLLBACK');
      other.close();
    }
    expect(opened()).to.deep.equal({ setAside: [], baselines: 1 });
  });

  it('says that a folder cannot be used, as a fault of the settings', () => {
    writeFileSync(join(stateDir(), 'file'), '');
    expect(() => openStateStore(join(stateDir(), 'file')))
      .to.throw(FleetError)
      .with.property('code', 'ConfigInvalid');
  });

  describe('opened for reading alone', () => {
    it('makes no folder and no file where there is none', () => {
      const dir = join(stateDir(), 'missing');
      const store = openStateStore(dir, { readOnly: true });
      expect(store.baselines('berlin')).to.deep.equal(new Map());
      expect(store.maskKey()).to.equal(store.maskKey());
      store.close();
      expect(readdirSync(stateDir())).to.deep.equal([]);
    });

    it('reads what is there and leaves the folder as it was', () => {
      filled(3);
      chmodSync(stateDir(), 0o500);
      try {
        const store = openStateStore(stateDir(), { readOnly: true });
        expect(store.baselines('berlin').size).to.equal(3);
        store.close();
      } finally {
        chmodSync(stateDir(), 0o700);
      }
      expect(readdirSync(stateDir())).to.deep.equal(['state.db']);
    });

    it('sees what a process at work has written', () => {
      const writer = openStateStore(stateDir());
      writer.saveBaselines('berlin', [baselineOf('a')], []);
      const reader = openStateStore(stateDir(), { readOnly: true });
      writer.saveBaselines('berlin', [baselineOf('b')], []);
      expect([...reader.baselines('berlin').keys()]).to.deep.equal(['ConfigMap/shop/a', 'ConfigMap/shop/b']);
      expect(reader.maskKey()).to.not.equal('');
      reader.close();
      writer.close();
    });

    it('is empty beside a file that cannot be read, which stays as it is', () => {
      mkdirSync(stateDir(), { recursive: true });
      writeFileSync(file(), 'garbage'.repeat(1_000));
      const store = openStateStore(stateDir(), { readOnly: true });
      expect(store.baselines('berlin').size).to.equal(0);
      store.close();
      expect(readFileSync(file(), 'utf8')).to.equal('garbage'.repeat(1_000));
    });
  });
});
