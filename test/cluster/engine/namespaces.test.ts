import { expect } from 'chai';

import { type JsonObject, stringAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  actionsOf,
  changeOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const finalizer = 'example.com/wait';

describe('a namespace', () => {
  let fleet: TestFleet;
  let someone: Outsider;

  const path = (): string => `/api/v1/namespaces/${fleet.namespace}`;
  const codeOf = (report: Parameters<typeof changeOf>[0], name: string): string => {
    const change = changeOf(report, name);
    return change.action === 'failed' ? change.error.code : change.action;
  };

  before(async () => {
    someone = await outsider(await sharedControlPlane());
  });

  beforeEach(async () => {
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: await sharedControlPlane() }],
      files: () => ({ 'generators/web.yaml': generatorFile('web'), 'apps/web/README.md': 'empty' }),
    });
  });

  afterEach(() => fleet.close());
  after(() => someone.close());

  it('that is missing fails what is in it, names it, and is waited for', async () => {
    const engine = fleet.start();
    await engine.settled();
    await fleet.repository.commit({ 'apps/web/a.yaml': configMap(fleet.namespace, 'a') });
    await eventually(
      () => (actionsOf(engine.report()).includes('failed ConfigMap/a') ? true : undefined),
      'it is reported',
    );
    expect(codeOf(engine.report(), 'a')).to.equal('DependencyFailed');
    expect(changeOf(engine.report(), 'a').reason).to.contain(fleet.namespace);
    await someone.create('/api/v1/namespaces', { metadata: { name: fleet.namespace } });
    await eventually(
      () => someone.get(configMapPath(fleet.namespace, 'a')),
      'it is created without a commit',
    );
  });

  it('that is being deleted by others lets nothing in, and is made anew with its objects', async () => {
    await fleet.repository.commit({
      'apps/web/namespace.yaml': namespaceFile(fleet.namespace),
      'apps/web/a.yaml': configMap(fleet.namespace, 'a'),
    });
    await fleet.sync();
    await someone.create(`${path()}/configmaps`, { metadata: { name: 'slow', finalizers: [finalizer] } });
    await someone.delete(path());
    await eventually(
      async () => ((await someone.get(configMapPath(fleet.namespace, 'a'))) === undefined ? true : undefined),
      'its contents are being deleted',
    );
    const report = await fleet.sync();
    expect(codeOf(report, 'a')).to.equal('NamespaceTerminating');
    expect(changeOf(report, fleet.namespace)).to.include({ action: 'pending' });
    const engine = fleet.start();
    await engine.settled();
    expect(codeOf(engine.report(), 'a')).to.equal('NamespaceTerminating');
    await someone.patch(configMapPath(fleet.namespace, 'slow'), { metadata: { finalizers: null } });
    await eventually(() => someone.get(configMapPath(fleet.namespace, 'a')), 'it is made anew', 25_000);
    await eventually(() => (actionsOf(engine.report()).length === 0 ? true : undefined), 'all is in sync');
  }).timeout(60_000);

  it('that a finalizer holds does not keep new objects waiting, and is not deleted again and again', async () => {
    const stuck: JsonObject = { metadata: { finalizers: [finalizer] } };
    await fleet.repository.commit({
      'apps/web/namespace.yaml': namespaceFile(fleet.namespace),
      'apps/web/stuck.yaml': configMap(fleet.namespace, 'stuck'),
      'apps/web/a.yaml': configMap(fleet.namespace, 'a'),
    });
    await fleet.sync();
    await someone.patch(configMapPath(fleet.namespace, 'stuck'), stuck);
    await fleet.repository.commit({
      'apps/web/stuck.yaml': null,
      'apps/web/b.yaml': configMap(fleet.namespace, 'b'),
    });
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal(['create ConfigMap/b', 'delete ConfigMap/stuck']);
    expect(changeOf(report, 'stuck').reason).to.contain('finalizers');
    const deletedAt = async (): Promise<string | undefined> =>
      stringAt(await someone.get(configMapPath(fleet.namespace, 'stuck')), 'metadata', 'deletionTimestamp');
    const before = await deletedAt();
    expect(actionsOf(await fleet.sync())).to.deep.equal(['pending ConfigMap/stuck']);
    expect(await deletedAt()).to.equal(before);
    await someone.patch(configMapPath(fleet.namespace, 'stuck'), { metadata: { finalizers: null } });
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
  });
});
