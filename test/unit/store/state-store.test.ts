import { expect } from 'chai';

import { openStateStore, type StateStore } from '../../../src/store/state-store.ts';
import { baselineOf, configMapRef, correctedDrift, useStateDir } from './store-fixture.ts';

describe('the state store', () => {
  const stateDir = useStateDir();
  const opened: StateStore[] = [];
  const open = (): StateStore => {
    const store = openStateStore(stateDir());
    opened.push(store);
    return store;
  };
  afterEach(() => {
    for (const store of opened.splice(0)) store.close();
  });

  it('keeps the baselines of each cluster across a restart', () => {
    const before = open();
    before.saveBaselines('berlin', [baselineOf('a'), baselineOf('b')], []);
    before.saveBaselines('paris', [baselineOf('a', 'h2')], []);
    expect(open().baselines('berlin')).to.deep.equal(
      new Map([
        ['ConfigMap/shop/a', baselineOf('a')],
        ['ConfigMap/shop/b', baselineOf('b')],
      ]),
    );
    expect(open().baselines('paris').get('ConfigMap/shop/a')?.desiredHash).to.equal('h2');
    expect(open().baselines('rome')).to.deep.equal(new Map());
  });

  it('replaces the baseline of an object whatever version it is written in, and removes by key', () => {
    const store = open();
    store.saveBaselines('berlin', [baselineOf('a'), baselineOf('b')], []);
    const moved = { ...baselineOf('a', 'h2'), ref: { ...configMapRef('a'), apiVersion: 'v2' } };
    store.saveBaselines('berlin', [moved], ['ConfigMap/shop/b']);
    expect([...store.baselines('berlin').values()]).to.deep.equal([moved]);
  });

  it('keeps an object that was deleted and created anew in one go', () => {
    const store = open();
    store.saveBaselines('berlin', [baselineOf('a', 'h2')], ['ConfigMap/shop/a']);
    expect(store.baselines('berlin').get('ConfigMap/shop/a')?.desiredHash).to.equal('h2');
  });

  it('saves and loads the baselines of 10,000 objects', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `cm-${index}`);
    open().saveBaselines(
      'berlin',
      names.map((name) => baselineOf(name)),
      [],
    );
    const loaded = open().baselines('berlin');
    expect(loaded.size).to.equal(10_000);
    for (const name of names) expect(loaded.get(`ConfigMap/shop/${name}`)).to.deep.equal(baselineOf(name));
  });

  it('tells the drifts corrected since a moment, newest first', () => {
    const store = open();
    const drifts = [0, 10, 20].map((minutes) => correctedDrift(`cm-${minutes}`, minutes));
    store.recordDrifts('berlin', drifts);
    store.recordDrifts('paris', [correctedDrift('elsewhere', 20)]);
    expect(store.correctedDrifts('berlin', '2026-05-01T12:05:00.000Z')).to.deep.equal([drifts[2], drifts[1]]);
  });

  it('bounds the history of a cluster by count', () => {
    const store = open();
    const drifts = Array.from({ length: 10_050 }, (_, index) => correctedDrift(`cm-${index}`, 0));
    store.recordDrifts('berlin', drifts);
    const kept = store.correctedDrifts('berlin', '');
    expect(kept).to.have.length(10_000);
    expect(kept.at(-1)?.ref.name).to.equal('cm-50');
  });

  it('bounds the history of a cluster by age, counted from its newest entry', () => {
    const store = open();
    const days = (count: number): number => count * 24 * 60;
    store.recordDrifts('berlin', [correctedDrift('old', 0)]);
    store.recordDrifts('berlin', [correctedDrift('young', days(2)), correctedDrift('new', days(31))]);
    expect(store.correctedDrifts('berlin', '').map(({ ref }) => ref.name)).to.deep.equal(['new', 'young']);
  });

  it('counts an approval once, and sees what another process approved', () => {
    const store = open();
    const other = open();
    other.approve('abc', { cluster: 'berlin', by: 'ada', at: '2026-05-01T12:00:00.000Z' });
    other.approve('abc', { cluster: 'berlin', by: 'bob', at: '2026-05-01T12:01:00.000Z' });
    expect(store.isApproved('abc')).to.equal(true);
    expect(store.isApproved('abd')).to.equal(false);
    expect(store.approvalCount()).to.equal(1);
  });

  it('keeps what an approval releases until it has ended, and counts the next one anew', () => {
    const store = open();
    const given = { cluster: 'berlin', by: 'ada', at: '2026-05-01T12:00:00.000Z' };
    store.approve('abc', given);
    store.coverApproval('abc', ['a', 'b']);
    expect(open().approvals('berlin')).to.deep.equal([{ holdId: 'abc', covers: ['a', 'b'] }]);
    expect(store.approvals('paris')).to.deep.equal([]);
    store.endApproval('abc', '2026-05-01T12:02:00.000Z');
    expect(store.isApproved('abc')).to.equal(false);
    expect(store.approvals('berlin')).to.deep.equal([]);
    store.approve('abc', given);
    expect(store.approvals('berlin')).to.deep.equal([{ holdId: 'abc', covers: [] }]);
    expect(store.approvalCount()).to.equal(2);
  });

  it('counts the grace of a generator from the first time it was marked, until it is cleared', () => {
    const store = open();
    store.markUnmatched('berlin', 'web', 1_000);
    store.markUnmatched('berlin', 'web', 2_000);
    expect(open().unmatched('berlin')).to.deep.equal(new Map([['web', 1_000]]));
    store.clearUnmatched('berlin', 'web');
    store.markUnmatched('berlin', 'web', 3_000);
    expect(store.unmatched('berlin')).to.deep.equal(new Map([['web', 3_000]]));
  });

  it('remembers a cluster, and one key for masks', () => {
    const store = open();
    const memory = { state: 'unreachable', lastSeenAt: '2026-05-01T12:00:00.000Z' } as const;
    store.remember('berlin', memory);
    expect(open().memory('berlin')).to.deep.equal(memory);
    expect(store.memory('paris')).to.equal(undefined);
    const facts = {
      version: '1.36',
      kubeVersion: 'v1.36.3',
      apiVersions: ['v1', 'v1/Pod'],
      clusterScoped: [],
    };
    store.saveServerFacts('berlin', facts);
    expect(open().serverFacts('berlin')).to.deep.equal(facts);
    expect(store.serverFacts('paris')).to.equal(undefined);
    expect(open().maskKey()).to.equal(store.maskKey());
    expect(store.maskKey()).to.match(/^[0-9a-f]{32}$/);
  });

  it('saves all of a set of baselines or none', () => {
    const store = open();
    const broken = { ...baselineOf('b'), desiredHash: 1n } as unknown as ReturnType<typeof baselineOf>;
    expect(() => {
      store.saveBaselines('berlin', [baselineOf('a'), broken], []);
    }).to.throw(TypeError);
    expect(store.baselines('berlin')).to.deep.equal(new Map());
    store.saveBaselines('berlin', [baselineOf('c')], []);
    expect(store.baselines('berlin')).to.have.keys('ConfigMap/shop/c');
  });
});
