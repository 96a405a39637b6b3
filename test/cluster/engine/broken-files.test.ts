import { expect } from 'chai';

import { stringAt, valueAt } from '../../../src/model/json.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { formatOrigin } from '../../../src/model/origin.ts';
import { auditFromNow, writesBy } from '../../harness/audit.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import {
  clusterOfUser,
  configMap,
  configMapPath,
  generatorFile,
  namespaceFile,
} from '../../harness/fleet-files.ts';
import {
  actionsOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';

const numbers = Array.from({ length: 10 }, (_, index) => `cm-${index}`);
const broken = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-3}\ndata:\n  a: [1\n';

describe('files that cannot be read', () => {
  const user = uniqueNamespace('reader');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;

  const colourOf = async (name: string): Promise<unknown> =>
    valueAt(await someone.get(configMapPath(fleet.namespace, name)), 'data', 'colour');
  const allIn = (colour: string): Record<string, string> =>
    Object.fromEntries(
      numbers.map((name) => [
        `apps/web/${name}.yaml`,
        configMap(fleet.namespace, name, { data: { colour } }),
      ]),
    );
  const deletesSince = async (audit: Awaited<ReturnType<typeof auditFromNow>>): Promise<string[]> =>
    writesBy(await audit.events(), user)
      .filter(({ verb }) => verb === 'delete')
      .map(({ name }) => name);

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user })],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'generators/base.yaml': generatorFile('base'),
        'apps/base/namespace.yaml': namespaceFile(namespace),
        'apps/base/extra.yaml': configMap(namespace, 'extra'),
      }),
    });
    await fleet.repository.commit(allIn('red'));
    await fleet.sync();
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('keep all that works going: nine are applied, none is deleted, the fault has its place', async () => {
    const audit = await auditFromNow(controlPlane);
    await fleet.repository.commit({
      ...allIn('green'),
      'apps/web/cm-3.yaml': broken,
      'apps/base/extra.yaml': null,
    });
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal(
      [
        ...numbers.filter((name) => name !== 'cm-3').map((name) => `configure ConfigMap/${name}`),
        'skipped ConfigMap/cm-3',
        'skipped ConfigMap/extra',
      ].sort(),
    );
    const [error, ...others] = report.clusters[0]!.errors;
    expect(others).to.deep.equal([]);
    expect(error?.code).to.equal('ManifestInvalid');
    expect(formatOrigin(error!.subject.origin!)).to.match(/^apps\/web\/cm-3\.yaml:\d+:\d+$/);
    expect(await colourOf('cm-4')).to.equal('green');
    expect(await colourOf('cm-3')).to.equal('red');
    expect(await deletesSince(audit)).to.deep.equal([]);
  });

  it('write nothing the second time', async () => {
    const audit = await auditFromNow(controlPlane);
    await fleet.sync();
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
  });

  it('end with their repair: just what was removed is deleted', async () => {
    const audit = await auditFromNow(controlPlane);
    await fleet.repository.commit({
      ...allIn('blue'),
      'apps/web/cm-7.yaml': null,
      'apps/base/extra.yaml': null,
    });
    await fleet.sync();
    expect(await deletesSince(audit)).to.have.members(['cm-7', 'extra']);
    expect(await colourOf('cm-3')).to.equal('blue');
  });

  describe('with the engine running, after a rapid series of commits', () => {
    let engine: TestEngine;
    before(async () => {
      await fleet.repository.commit(allIn('red'));
      engine = fleet.start();
      await engine.settled();
    });

    after(() => engine.stop());

    it('deletes just what the last one removed', async () => {
      const audit = await auditFromNow(controlPlane);
      await fleet.repository.commit({ 'apps/web/cm-3.yaml': broken });
      engine.engine.fetchNow();
      await fleet.repository.commit({ 'apps/web/cm-3.yaml': broken, 'apps/web/cm-8.yaml': null });
      await eventually(
        () => (engine.report().clusters[0]?.errors.length === 1 ? true : undefined),
        'the fault',
      );
      const revision = await fleet.repository.commit({
        ...allIn('white'),
        'apps/web/cm-8.yaml': null,
      });
      await eventually(
        () => (engine.report().clusters[0]?.revision === revision ? true : undefined),
        'the last revision is synced',
      );
      expect(await deletesSince(audit)).to.deep.equal(['cm-8']);
      expect(await colourOf('cm-3')).to.equal('white');
    });

    it('prunes nothing anywhere while a generator’s file is broken', async () => {
      const audit = await auditFromNow(controlPlane);
      await fleet.repository.commit({
        'generators/web.yaml': generatorFile('web').replace('clusterSelector', 'clusterSelectors'),
        'apps/base/second.yaml': configMap(fleet.namespace, 'second'),
      });
      await eventually(() => (engine.report().errors.length > 0 ? true : undefined), 'the fault is reported');
      await eventually(() => someone.get(configMapPath(fleet.namespace, 'second')), 'what works is applied');
      const revision = await fleet.repository.commit({ 'apps/base/second.yaml': null });
      await eventually(
        () => (engine.report().clusters[0]?.revision === revision ? true : undefined),
        'the revision is synced',
      );
      const [fault] = engine.report().errors;
      expect(fault?.code).to.equal('ConfigInvalid');
      expect(fault?.subject.origin).to.include({ file: 'generators/web.yaml' });
      expect(await deletesSince(audit)).to.deep.equal([]);
      expect(stringAt(await someone.get(configMapPath(fleet.namespace, 'cm-1')), 'metadata', 'uid')).to.be.a(
        'string',
      );
      await fleet.repository.commit({ 'generators/web.yaml': generatorFile('web') });
      await eventually(
        async () => ((await deletesSince(audit)).includes('second') ? true : undefined),
        'after the repair what was removed is deleted',
      );
      expect(await deletesSince(audit)).to.deep.equal(['second']);
    });
  });
});
