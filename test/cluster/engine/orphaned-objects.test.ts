import { expect } from 'chai';

import { orphanObject } from '../../../src/apply/orphan-object.ts';
import { discover } from '../../../src/kube/discovery.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { partOfLabel } from '../../../src/model/apply-set.ts';
import { type JsonObject, objectAt, stringAt, valueAt } from '../../../src/model/json.ts';
import { managedFieldsOf } from '../../../src/model/managed-fields.ts';
import { reduceOwned } from '../../../src/observe/reduce-owned.ts';
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

describe('objects that stay when Git drops them', function () {
  this.timeout(120_000);
  const user = uniqueNamespace('orphaner');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;

  const live = (name: string): Promise<JsonObject | undefined> =>
    someone.get(configMapPath(fleet.namespace, name));
  const isOurs = (object: JsonObject | undefined): boolean =>
    stringAt(object, 'metadata', 'labels', partOfLabel) !== undefined;

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user })],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'generators/kept.yaml': generatorFile('kept', { sync: { deletion: 'orphan' } }),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/single.yaml': configMap(namespace, 'single', {
          annotations: { 'fleetwright.dev/deletion': 'orphan', 'example.com/team': 'shop' },
          labels: { app: 'shop' },
        }),
        'apps/web/plain.yaml': configMap(namespace, 'plain'),
        'apps/kept/one.yaml': configMap(namespace, 'one'),
        'apps/kept/two.yaml': configMap(namespace, 'two'),
        'apps/kept/loose.yaml': configMap(namespace, 'loose', {
          annotations: { 'fleetwright.dev/deletion': 'delete' },
        }),
      }),
    });
    await fleet.sync();
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('are shown by a plan, and lose our marks and nothing else', async () => {
    const before = await live('single');
    await fleet.repository.commit({ 'apps/web/single.yaml': null, 'apps/web/plain.yaml': null });
    const change = {
      action: 'configure',
      reason: 'web no longer gives it; it stays and is no longer ours, as deletion: orphan says',
    };
    expect(changeOf((await fleet.once('plan')).changes, 'single')).to.include(change);
    expect(isOurs(await live('single'))).to.equal(true);
    const report = await fleet.sync();
    expect(changeOf(report, 'single')).to.include(change);
    expect(actionsOf(report)).to.deep.equal(['configure ConfigMap/single', 'delete ConfigMap/plain']);
    const after = await live('single');
    expect(stringAt(after, 'metadata', 'uid')).to.equal(stringAt(before, 'metadata', 'uid'));
    expect(valueAt(after, 'data')).to.deep.equal({ from: 'git' });
    expect(objectAt(after, 'metadata', 'labels')).to.deep.equal({ app: 'shop' });
    expect(objectAt(after, 'metadata', 'annotations')).to.deep.equal({ 'example.com/team': 'shop' });
    expect(managedFieldsOf(after)).to.deep.equal([]);
  });

  it('are not touched again', async () => {
    const audit = await auditFromNow(controlPlane);
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    await fleet.forget();
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
  });

  it('are let go by the next sync where others wrote meanwhile, and others of that name are left alone', async () => {
    const signal = AbortSignal.timeout(60_000);
    const resource = (await discover(someone.client, signal)).find('v1', 'ConfigMap')!;
    const options = { client: someone.client, resource, signal };
    const owned = reduceOwned((await live('two'))!, { apiVersion: 'v1', kind: 'ConfigMap' });
    expect(await orphanObject({ ...owned, uid: 'another' }, options)).to.equal('replaced');
    expect(isOurs(await live('two'))).to.equal(true);
    await someone.patch(configMapPath(fleet.namespace, 'two'), { data: { more: 'theirs' } });
    expect(await orphanObject(owned, options)).to.equal('orphaned');
    expect(valueAt(await live('two'), 'data')).to.deep.equal({ from: 'git', more: 'theirs' });
    expect(await orphanObject({ ...owned, ref: { ...owned.ref, name: 'none' } }, options)).to.equal('gone');
    expect(actionsOf(await fleet.sync())).to.deep.equal(['configure ConfigMap/two']);
  });

  it('may be all of a generator, also when it goes itself', async () => {
    await fleet.repository.commit({
      'generators/kept.yaml': null,
      'apps/kept/one.yaml': null,
      'apps/kept/two.yaml': null,
      'apps/kept/loose.yaml': null,
    });
    expect(actionsOf(await fleet.sync())).to.deep.equal([
      'configure ConfigMap/one',
      'configure ConfigMap/two',
      'delete ConfigMap/loose',
    ]);
    expect(isOurs(await live('one'))).to.equal(false);
    expect(valueAt(await live('one'), 'data')).to.deep.equal({ from: 'git' });
  });

  it('are ours again at once where Git has them again', async () => {
    await fleet.repository.commit({ 'apps/web/one.yaml': configMap(fleet.namespace, 'one') });
    expect(changeOf(await fleet.sync(), 'one').reason).to.contain('adopted');
    expect(isOurs(await live('one'))).to.equal(true);
    await fleet.repository.commit({ 'apps/web/one.yaml': null });
    expect(actionsOf(await fleet.sync())).to.deep.equal(['delete ConfigMap/one']);
  });

  it('hold the removal of their namespace', async () => {
    await fleet.repository.commit({
      'apps/web/last.yaml': configMap(fleet.namespace, 'last', {
        annotations: { 'fleetwright.dev/deletion': 'orphan' },
      }),
    });
    await fleet.sync();
    await fleet.repository.commit({ 'generators/web.yaml': null });
    const report = await fleet.sync();
    expect(changeOf(report, 'last')).to.include({ action: 'configure' });
    const namespace = changeOf(report, fleet.namespace);
    expect(namespace.action).to.equal('held');
    expect(namespace.reason).to.contain('ConfigMap/last');
  });
});
