import { expect } from 'chai';

import { stringAt } from '../../../src/model/json.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { formatOrigin } from '../../../src/model/origin.ts';
import { auditFromNow, writesBy } from '../../harness/audit.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import {
  clusterOfUser,
  configMap,
  configMapPath,
  documents,
  generatorFile,
  namespaceFile,
} from '../../harness/fleet-files.ts';
import {
  actionsOf,
  changeOf,
  countOf,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

describe('objects that more than one place could bring', () => {
  const user = uniqueNamespace('mover');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;
  let uid: string | undefined;

  const uidOf = async (name: string): Promise<string | undefined> =>
    stringAt(await someone.get(configMapPath(fleet.namespace, name)), 'metadata', 'uid');

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user })],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'generators/other.yaml': generatorFile('other'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/stays.yaml': configMap(namespace, 'stays'),
        'apps/web/moves.yaml': configMap(namespace, 'moves'),
        'apps/other/extra.yaml': configMap(namespace, 'extra'),
        'clusters/tokyo/own.yaml': configMap(namespace, 'own'),
      }),
    });
    await fleet.sync();
    uid = await uidOf('moves');
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  const moves: [string, Parameters<TestFleet['repository']['commit']>[0], string][] = [
    ['to another file', { 'apps/web/moves.yaml': null, 'apps/web/deeper/moved.yaml': 'moves' }, 'web'],
    [
      'to another generator',
      { 'apps/web/deeper/moved.yaml': null, 'apps/other/moves.yaml': 'moves' },
      'other',
    ],
    [
      'to a cluster directory',
      { 'apps/other/moves.yaml': null, 'clusters/tokyo/moves.yaml': 'moves' },
      'clusters/tokyo',
    ],
    ['from it to a generator', { 'clusters/tokyo/moves.yaml': null, 'apps/web/moves.yaml': 'moves' }, 'web'],
  ];
  for (const [where, files, generator] of moves) {
    it(`keep their uid when they move ${where}`, async () => {
      const audit = await auditFromNow(controlPlane);
      await fleet.repository.commit(
        Object.fromEntries(
          Object.entries(files).map(([path, content]) => [
            path,
            content === null ? null : configMap(fleet.namespace, 'moves'),
          ]),
        ),
      );
      const report = await fleet.sync();
      expect(countOf(report, 'delete') + countOf(report, 'held') + countOf(report, 'failed')).to.equal(0);
      expect(changeOf(report, 'moves').origin.generator).to.equal(generator);
      expect(await uidOf('moves')).to.equal(uid);
      expect(writesBy(await audit.events(), user).filter(({ verb }) => verb === 'delete')).to.deep.equal([]);
      const live = await someone.get(configMapPath(fleet.namespace, 'moves'));
      expect(stringAt(live, 'metadata', 'annotations', 'fleetwright.dev/generator')).to.equal(generator);
      expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    });
  }

  it('keep their uid when a whole cluster directory becomes a generator', async () => {
    const before = await uidOf('own');
    await fleet.repository.commit({
      'clusters/tokyo/own.yaml': null,
      'generators/own.yaml': generatorFile('own'),
      'apps/own/own.yaml': configMap(fleet.namespace, 'own'),
    });
    const report = await fleet.sync();
    expect(countOf(report, 'delete') + countOf(report, 'held')).to.equal(0);
    expect(await uidOf('own')).to.equal(before);
  });

  it('are not applied from either of two places; both are named, and nothing is pruned', async () => {
    const audit = await auditFromNow(controlPlane);
    const shared = (data: Record<string, string>): string => configMap(fleet.namespace, 'shared', { data });
    await fleet.repository.commit({
      'apps/web/stays.yaml': null,
      'apps/web/shared.yaml': documents(configMap(fleet.namespace, 'beside'), shared({ of: 'web' })),
      'apps/other/shared.yaml': shared({ of: 'other' }),
    });
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal(['create ConfigMap/beside', 'skipped ConfigMap/stays']);
    const [error, ...others] = report.clusters[0]!.errors;
    expect(others).to.deep.equal([]);
    expect(error?.message).to.contain('apps/other/shared.yaml:1');
    expect(formatOrigin(error!.subject.origin!)).to.contain('apps/web/shared.yaml:3');
    expect(await uidOf('shared')).to.equal(undefined);
    expect(await uidOf('stays')).to.be.a('string');
    await fleet.sync();
    expect(writesBy(await audit.events(), user).map(({ verb, name }) => `${verb} ${name}`)).to.deep.equal([
      'patch beside',
    ]);
  });

  it('go on under the one that is left, untouched in between', async () => {
    await fleet.repository.commit({ 'apps/other/shared.yaml': null });
    expect(actionsOf(await fleet.sync())).to.deep.equal([
      'create ConfigMap/shared',
      'delete ConfigMap/stays',
    ]);
    const before = await uidOf('shared');
    await fleet.repository.commit({ 'apps/other/shared.yaml': configMap(fleet.namespace, 'shared') });
    await fleet.sync();
    await fleet.repository.commit({ 'apps/web/shared.yaml': configMap(fleet.namespace, 'beside') });
    await fleet.sync();
    expect(await uidOf('shared')).to.equal(before);
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
  });
});
