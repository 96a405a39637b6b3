import { expect } from 'chai';

import { applyPlan } from '../../../src/apply/apply-plan.ts';
import type { WriteResult } from '../../../src/apply/write-result.ts';
import { discover } from '../../../src/kube/discovery.ts';
import { systemClock } from '../../../src/kube/clock.ts';
import { partOfLabel, pruneAnnotation } from '../../../src/model/apply-set.ts';
import { stringAt } from '../../../src/model/json.ts';
import { listOwned } from '../../../src/observe/list-owned.ts';
import { applySetIdOf } from '../../../src/apply/apply-set-parent.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
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
  changeOf,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

describe('pruning', () => {
  const user = uniqueNamespace('pruner');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;

  const uidOf = async (name: string): Promise<string | undefined> =>
    stringAt(await someone.get(configMapPath(fleet.namespace, name)), 'metadata', 'uid');

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user })],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'generators/kept.yaml': generatorFile('kept', { sync: { prune: false } }),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/a.yaml': configMap(namespace, 'a'),
        'apps/web/b.yaml': configMap(namespace, 'b'),
        'apps/web/opted-out.yaml': configMap(namespace, 'opted-out', {
          annotations: { [pruneAnnotation]: 'disabled' },
        }),
        'apps/web/opted-out-by-hand.yaml': configMap(namespace, 'opted-out-by-hand'),
        'apps/kept/one.yaml': configMap(namespace, 'kept-one'),
        'apps/kept/two.yaml': configMap(namespace, 'kept-two'),
      }),
    });
    await fleet.sync();
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('deletes what Git no longer has, and keeps what opted out', async () => {
    await someone.patch(configMapPath(fleet.namespace, 'opted-out-by-hand'), {
      metadata: { annotations: { [pruneAnnotation]: 'disabled' } },
    });
    const audit = await auditFromNow(controlPlane);
    await fleet.repository.commit({
      'apps/web/b.yaml': null,
      'apps/web/opted-out.yaml': null,
      'apps/web/opted-out-by-hand.yaml': null,
      'apps/kept/two.yaml': null,
    });
    const plan = await fleet.once('plan');
    expect(actionsOf(plan.changes)).to.deep.equal([
      'delete ConfigMap/b',
      'skipped ConfigMap/kept-two',
      'skipped ConfigMap/opted-out',
      'skipped ConfigMap/opted-out-by-hand',
    ]);
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal(actionsOf(plan.changes));
    expect(changeOf(report, 'b').reason).to.contain('web');
    expect(changeOf(report, 'b').origin.generator).to.equal('web');
    expect(changeOf(report, 'kept-two').reason).to.equal('pruning is turned off');
    const deletes = writesBy(await audit.events(), user).filter(({ verb }) => verb === 'delete');
    expect(deletes.map(({ name, status }) => ({ name, status }))).to.deep.equal([{ name: 'b', status: 200 }]);
    expect(await uidOf('b')).to.equal(undefined);
  });

  it('writes nothing the second time', async () => {
    const audit = await auditFromNow(controlPlane);
    expect(actionsOf(await fleet.sync())).to.deep.equal([
      'skipped ConfigMap/kept-two',
      'skipped ConfigMap/opted-out',
      'skipped ConfigMap/opted-out-by-hand',
    ]);
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
  });

  it('names a kind in the ApplySet’s parent no longer when the last of it is gone', async () => {
    const path = `/api/v1/namespaces/fleetwright-system/configmaps/fleet-${fleet.namespace}`;
    const kinds = async (): Promise<string | undefined> =>
      stringAt(
        await someone.get(path),
        'metadata',
        'annotations',
        'applyset.kubernetes.io/contains-group-kinds',
      );
    const account = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'worker', namespace: fleet.namespace },
    };
    await fleet.repository.commit({ 'apps/web/account.yaml': JSON.stringify(account) });
    await fleet.sync();
    expect(await kinds()).to.equal('ConfigMap,Namespace,ServiceAccount');
    await fleet.repository.commit({ 'apps/web/account.yaml': null });
    await fleet.sync();
    expect(await kinds()).to.equal('ConfigMap,Namespace');
    const audit = await auditFromNow(controlPlane);
    await fleet.sync();
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
  });

  it('touches nothing of another ApplySet and nothing without the label', async () => {
    const { namespace } = fleet;
    await someone.create(`/api/v1/namespaces/${namespace}/configmaps`, {
      metadata: { name: 'another-set', labels: { [partOfLabel]: 'applyset-another-v1' } },
    });
    await someone.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'nobodys' } });
    const report = await fleet.sync();
    expect(report.clusters[0]?.changes.map(({ ref }) => ref.name)).to.not.include.members([
      'another-set',
      'nobodys',
    ]);
    expect(await uidOf('another-set')).to.be.a('string');
    expect(await uidOf('nobodys')).to.be.a('string');
  });

  it('does not list or delete a copy that somebody made of one of its objects', async () => {
    const { metadata, data } = (await someone.get(configMapPath(fleet.namespace, 'a'))) as unknown as {
      metadata: { labels: Record<string, string>; annotations: Record<string, string> };
      data: Record<string, string>;
    };
    const { labels, annotations } = metadata;
    await someone.create(`/api/v1/namespaces/${fleet.namespace}/configmaps`, {
      metadata: { name: 'copy-of-a', labels, annotations },
      data,
    });
    const report = await fleet.sync();
    expect(actionsOf(report).filter((line) => line.startsWith('delete'))).to.deep.equal([]);
    expect(await uidOf('copy-of-a')).to.be.a('string');
  });

  it('leaves an object alone that others put in the place of the one to be deleted', async () => {
    const { namespace } = fleet;
    const signal = AbortSignal.timeout(20_000);
    const discovery = await discover(someone.client, signal);
    const resource = discovery.find('v1', 'ConfigMap')!;
    const inventory = await listOwned({
      client: someone.client,
      resources: [resource],
      applySetId: applySetIdOf(fleet.settings.name),
      signal,
    });
    const owned = inventory.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'a' })!;
    await someone.delete(configMapPath(namespace, 'a'));
    await someone.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'a' } });
    const results: WriteResult[] = [];
    const origin = { generator: 'web', file: '', document: 0, line: 0 };
    await applyPlan(
      { stages: [[{ action: 'delete', owned, origin, reason: 'gone from Git' }]], settled: [] },
      {
        client: someone.client,
        resolve: () => resource,
        signal,
        clock: systemClock,
        onResult: (result) => results.push(result),
      },
    );
    expect(results).to.have.length(1);
    expect(results[0]).to.include({ outcome: 'deleted', how: 'replaced' });
    expect(await uidOf('a'))
      .to.be.a('string')
      .and.to.not.equal(owned.uid);
  });
});
