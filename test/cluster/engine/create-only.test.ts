import { expect } from 'chai';

import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { partOfLabel } from '../../../src/model/apply-set.ts';
import { type JsonObject, stringAt, valueAt } from '../../../src/model/json.ts';
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
  countOf,
  driftOf,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

describe('objects that are only ever created', function () {
  this.timeout(120_000);
  const user = uniqueNamespace('creator');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;

  const annotations = { 'fleetwright.dev/apply': 'create-only' };
  const path = (name: string): string => configMapPath(fleet.namespace, name);
  const data = async (name: string): Promise<unknown> => valueAt(await someone.get(path(name)), 'data');
  const commit = (name: string, content: JsonObject): Promise<unknown> =>
    fleet.repository.commit({
      [`apps/web/${name}.yaml`]: configMap(fleet.namespace, name, { data: content, annotations }),
    });

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user })],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
      }),
    });
    await commit('seed', { a: '1' });
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('are created, and are ours', async () => {
    expect(actionsOf(await fleet.sync())).to.include('create ConfigMap/seed');
    expect(stringAt(await someone.get(path('seed')), 'metadata', 'labels', partOfLabel)).to.match(
      /^applyset-/,
    );
  });

  it('are written no second time, whatever becomes of them or of Git, and are no drift', async () => {
    const audit = await auditFromNow(controlPlane);
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
    await someone.patch(path('seed'), { data: { a: 'theirs', b: 'more' } });
    const { changes, drift } = await fleet.once('drift');
    expect(actionsOf(changes)).to.deep.equal([]);
    expect(driftOf(drift, 'seed')).to.equal(undefined);
    await commit('seed', { a: 'another' });
    expect(actionsOf((await fleet.once('plan')).changes)).to.deep.equal([]);
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
    await fleet.forget();
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
    await someone.patch(path('seed'), { metadata: { labels: { [partOfLabel]: null } } });
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
    expect(await data('seed')).to.deep.equal({ a: 'theirs', b: 'more' });
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
  });

  it('are created anew when they are gone, as Git has them now', async () => {
    await someone.delete(path('seed'));
    expect(actionsOf(await fleet.sync())).to.deep.equal(['create ConfigMap/seed']);
    expect(await data('seed')).to.deep.equal({ a: 'another' });
  });

  it('are left alone, unheld and not ours, where they existed before', async () => {
    await someone.create(`/api/v1/namespaces/${fleet.namespace}/configmaps`, {
      metadata: { name: 'before' },
      data: { a: 'theirs' },
    });
    await commit('before', { a: '1' });
    expect(changeOf(await fleet.sync(), 'before')).to.deep.include({
      action: 'skipped',
      reason: 'it existed before and is only ever created; it is not ours',
    });
    expect(await data('before')).to.deep.equal({ a: 'theirs' });
    await fleet.repository.commit({ 'apps/web/before.yaml': null });
    await fleet.sync();
    expect(await data('before')).to.deep.equal({ a: 'theirs' });
  });

  it('are deleted when Git drops them', async () => {
    await fleet.repository.commit({ 'apps/web/seed.yaml': null });
    expect(actionsOf(await fleet.sync())).to.deep.equal(['delete ConfigMap/seed']);
  });
});
