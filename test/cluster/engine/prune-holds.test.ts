import { expect } from 'chai';

import { arrayAt, stringAt } from '../../../src/model/json.ts';
import type { ChangeReport } from '../../../src/model/report.ts';
import type { Files } from '../../harness/git.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  countOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const countLimit = 6;

describe('prunes that are held until a person approves them', () => {
  let someone: Outsider;
  let fleet: TestFleet;

  const named = (prefix: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  const maps = (folder: string, prefix: string, count: number): Files =>
    Object.fromEntries(
      named(prefix, count).map((name) => [`${folder}/${name}.yaml`, configMap(fleet.namespace, name)]),
    );
  const gone = (folder: string, names: readonly string[]): Files =>
    Object.fromEntries(names.map((name) => [`${folder}/${name}.yaml`, null]));
  const live = async (): Promise<string[]> =>
    arrayAt(await someone.get(`/api/v1/namespaces/${fleet.namespace}/configmaps`), 'items')
      .map((item) => stringAt(item, 'metadata', 'name') ?? '')
      .filter((name) => name !== 'kube-root-ca.crt')
      .sort();
  const holdsOf = (report: ChangeReport): string[] => [
    ...new Set(
      report.clusters.flatMap(({ changes }) =>
        changes.flatMap((change) => (change.action === 'held' ? [change.holdId] : [])),
      ),
    ),
  ];

  before(async () => {
    someone = await outsider(await sharedControlPlane());
  });

  beforeEach(async () => {
    const controlPlane = await sharedControlPlane();
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      sync: { pruneLimit: { count: countLimit, percent: 40, minimum: 3 } },
      files: (namespace) => ({
        'generators/base.yaml': generatorFile('base'),
        'generators/web.yaml': generatorFile('web'),
        'apps/base/namespace.yaml': namespaceFile(namespace),
      }),
    });
    await fleet.repository.commit({ ...maps('apps/base', 'base', 10), ...maps('apps/web', 'web', 9) });
    await fleet.sync();
  });

  afterEach(() => fleet.close());
  after(() => someone.close());

  it('holds more than the count, deletes nothing, and does so again the next time', async () => {
    await fleet.repository.commit(gone('apps/web', named('web', countLimit + 1)));
    const report = await fleet.sync();
    expect(countOf(report, 'held')).to.equal(countLimit + 1);
    expect(countOf(report, 'delete')).to.equal(0);
    const holds = holdsOf(report);
    expect(holds).to.have.length(1);
    expect(holds[0]).to.match(/^[0-9a-f]{12}$/);
    expect(await live()).to.have.length(19);
    expect(holdsOf(await fleet.sync())).to.deep.equal(holds);
    expect(holdsOf((await fleet.once('plan')).changes)).to.deep.equal(holds);
  });

  it('holds more than the percentage of a generator from the minimum on', async () => {
    // Two of nine are too few for the minimum; four of nine are more than 40 %.
    await fleet.repository.commit(gone('apps/web', named('web', 2)));
    expect(countOf(await fleet.sync(), 'delete')).to.equal(2);
    await fleet.repository.commit(gone('apps/web', named('web', 6)));
    const report = await fleet.sync();
    expect(countOf(report, 'held')).to.equal(4);
    expect(report.clusters[0]!.changes.find(({ action }) => action === 'held')?.reason).to.contain('40 %');
  });

  it('releases by an approval just what was held', async () => {
    await fleet.repository.commit(gone('apps/web', named('web', 7)));
    const [hold = ''] = holdsOf(await fleet.sync());
    fleet.approve(hold);
    const report = await fleet.sync();
    expect(countOf(report, 'delete')).to.equal(7);
    expect(await live()).to.deep.equal([...named('base', 10), 'web-7', 'web-8'].sort());
    expect(countOf(await fleet.sync(), 'delete')).to.equal(0);
  });

  it('voids an approval when the removal has changed since', async () => {
    await fleet.repository.commit(gone('apps/web', named('web', 7)));
    const [hold = ''] = holdsOf(await fleet.sync());
    fleet.approve(hold);
    await fleet.repository.commit(gone('apps/web', named('web', 8)));
    const report = await fleet.sync();
    expect(countOf(report, 'held')).to.equal(8);
    expect(holdsOf(report)).to.not.include(hold);
    expect(await live()).to.have.length(19);
  });

  it('ends an approval with what was held', async () => {
    const removal = gone('apps/web', named('web', 7));
    await fleet.repository.commit(removal);
    const [hold = ''] = holdsOf(await fleet.sync());
    fleet.approve(hold);
    await fleet.repository.commit(maps('apps/web', 'web', 7));
    expect(holdsOf(await fleet.sync())).to.deep.equal([]);
    await fleet.repository.commit(removal);
    expect(holdsOf(await fleet.sync())).to.deep.equal([hold]);
    expect(await live()).to.have.length(19);
  });

  it('lets the running engine react to an approval that another process gives', async () => {
    const engine = fleet.start();
    await engine.settled();
    await fleet.repository.commit(gone('apps/web', named('web', 7)));
    const [hold = ''] = await eventually(() => {
      const holds = holdsOf(engine.report());
      return holds.length > 0 ? holds : undefined;
    }, 'the removal is held');
    expect(await live()).to.have.length(19);
    fleet.approve(hold);
    await eventually(async () => ((await live()).length === 12 ? true : undefined), 'they are deleted');
    await eventually(() => (countOf(engine.report(), 'held') === 0 ? true : undefined), 'nothing is held');
  });

  it('holds everything of a generator that still exists and gives nothing any more', async () => {
    await fleet.repository.commit({
      ...gone('apps/web', named('web', 9)),
      'apps/web/README.md': 'nothing here',
    });
    const report = await fleet.sync();
    expect(countOf(report, 'held')).to.equal(9);
    const [hold = '', ...others] = holdsOf(report);
    expect(others).to.deep.equal([]);
    expect(report.clusters[0]!.changes.find(({ action }) => action === 'held')?.reason).to.contain(
      'generator web',
    );
    fleet.approve(hold);
    expect(countOf(await fleet.sync(), 'delete')).to.equal(9);
  });

  it('takes the removal of a generator’s file for a wish, within the count', async () => {
    await fleet.repository.commit(gone('apps/web', named('web', 3)));
    expect(countOf(await fleet.sync(), 'delete')).to.equal(3);
    await fleet.repository.commit({ 'generators/web.yaml': null });
    expect(countOf(await fleet.sync(), 'delete')).to.equal(6);
    expect(await live()).to.deep.equal(named('base', 10));
  });

  it('holds the removal of a generator’s file beyond the count', async () => {
    await fleet.repository.commit({ 'generators/web.yaml': null });
    const report = await fleet.sync();
    expect(countOf(report, 'held')).to.equal(9);
    expect(await live()).to.have.length(19);
  });

  it('holds a whole cluster directory that is gone', async () => {
    const own = configMap(fleet.namespace, 'own');
    await fleet.repository.commit({ 'clusters/tokyo/own.yaml': own });
    await fleet.sync();
    await fleet.repository.commit({ 'clusters/tokyo/own.yaml': null });
    const report = await fleet.sync();
    expect(countOf(report, 'held')).to.equal(1);
    const held = report.clusters[0]!.changes.find(({ action }) => action === 'held');
    expect(held?.reason).to.contain('clusters/tokyo');
    expect(await live()).to.include('own');
    fleet.approve(holdsOf(report)[0] ?? '');
    expect(countOf(await fleet.sync(), 'delete')).to.equal(1);
    expect(await live()).to.not.include('own');
  });
});
