import { expect } from 'chai';

import type { Change } from '../../../src/model/change.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';
import { deploymentManifest } from '../../harness/workloads.ts';
import { eventually } from '../observe/observe-fixture.ts';

describe('objects that depend on others', () => {
  let someone: Outsider;
  let fleet: TestFleet;
  let engine: TestEngine;

  const change = (name: string): Change | undefined =>
    engine.report().clusters[0]!.changes.find(({ ref }) => ref.name === name);
  const dependant = (name: string, on: string, data = {}): string =>
    configMap(fleet.namespace, name, {
      annotations: { 'config.kubernetes.io/depends-on': on },
      data,
    });
  const claim = (): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: fleet.namespace },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'none-such',
        resources: { requests: { storage: '1Gi' } },
      },
    });
  const isWritten = (): boolean => {
    const found = change('web');
    return found !== undefined && found.action !== 'pending';
  };

  before(async () => {
    someone = await outsider(await sharedControlPlane());
  });

  beforeEach(async () => {
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: await sharedControlPlane() }],
      files: (namespace) => ({
        'generators/base.yaml': generatorFile('base'),
        'apps/base/namespace.yaml': namespaceFile(namespace),
      }),
    });
    engine = fleet.start();
    await engine.settled();
  });

  afterEach(() => fleet.close());
  after(() => someone.close());

  it('are written as soon as these are healthy, and nothing is written a second time', async () => {
    const on = `apps/namespaces/${fleet.namespace}/Deployment/db`;
    await fleet.repository.commit({
      'apps/base/db.yaml': deploymentManifest(fleet.namespace, 'db', { replicas: 2 }),
      'apps/base/web.yaml': dependant('web', on),
    });
    await eventually('it is written', isWritten);
    const db = await someone.get(`/apis/apps/v1/namespaces/${fleet.namespace}/deployments/db`);
    expect(db).to.have.nested.property('status.availableReplicas', 2);
    await engine.stop();
    const again = (await fleet.sync()).clusters[0]!.changes.map(({ action }) => action);
    expect(new Set(again)).to.deep.equal(new Set(['unchanged']));
  });

  it('say what they wait for, and changes wait, too, until Git says otherwise', async () => {
    await fleet.repository.commit({
      'apps/base/web.yaml': configMap(fleet.namespace, 'web', { data: { a: '1' } }),
    });
    await eventually('it is there', () => change('web') !== undefined);
    await fleet.repository.commit({
      'apps/base/claim.yaml': claim(),
      'apps/base/web.yaml': dependant('web', `/namespaces/${fleet.namespace}/PersistentVolumeClaim/data`, {
        a: '2',
      }),
    });
    await eventually('it waits', () => change('web')?.action === 'pending');
    await eventually(
      'it says for what',
      () => change('web')?.reason?.includes('yet to be applied') === false,
    );
    expect(change('web')?.reason).to.match(/^waits for PersistentVolumeClaim\/data in \S+: ./);
    expect(await someone.get(configMapPath(fleet.namespace, 'web'))).to.have.nested.property('data.a', '1');
    await fleet.repository.commit({
      'apps/base/web.yaml': configMap(fleet.namespace, 'web', { data: { a: '2' } }),
    });
    await eventually('it is written', isWritten);
    expect(await someone.get(configMapPath(fleet.namespace, 'web'))).to.have.nested.property('data.a', '2');
  });

  it('wait for all that another generator gives', async () => {
    await fleet.repository.commit({
      'apps/base/db.yaml': deploymentManifest(fleet.namespace, 'db'),
      'apps/base/claim.yaml': claim(),
      'generators/web.yaml': generatorFile('web', { dependsOn: ['base'] }),
      'apps/web/web.yaml': configMap(fleet.namespace, 'web'),
    });
    await eventually('only the claim is left', () =>
      /^waits for generator base: PersistentVolumeClaim\/data in [^(]*$/.test(change('web')?.reason ?? ''),
    );
    await fleet.repository.commit({ 'apps/base/claim.yaml': null });
    await eventually('it is written', isWritten);
  });
});
