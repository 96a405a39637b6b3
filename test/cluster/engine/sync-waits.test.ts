import { expect } from 'chai';

import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import { actionsOf, changeOf, startTestFleet, type TestFleet } from '../../harness/fleet.ts';
import { deploymentManifest } from '../../harness/workloads.ts';

describe('one sync of objects that depend on others', () => {
  let fleet: TestFleet;

  beforeEach(async () => {
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: await sharedControlPlane() }],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/db.yaml': deploymentManifest(namespace, 'db', { replicas: 2 }),
        'apps/web/web.yaml': configMap(namespace, 'web', {
          annotations: { 'config.kubernetes.io/depends-on': `apps/namespaces/${namespace}/Deployment/db` },
        }),
      }),
    });
  });

  afterEach(() => fleet.close());

  it('goes on until all is written, and the second time writes nothing', async () => {
    const { changes } = await fleet.once('sync', { waitMs: 45_000 });
    expect(actionsOf(changes)).to.deep.equal([
      'create ConfigMap/web',
      'create Deployment/db',
      `create Namespace/${fleet.namespace}`,
    ]);
    expect(actionsOf((await fleet.once('sync', { waitMs: 45_000 })).changes)).to.deep.equal([]);
  });

  it('ends after one pass where it is not to wait, and tells what waits', async () => {
    const { changes } = await fleet.once('sync', { waitMs: 0 });
    expect(changeOf(changes, 'web')).to.deep.include({
      action: 'pending',
      reason: `waits for Deployment/db in ${fleet.namespace}: it is yet to be applied`,
    });
    expect(changeOf(changes, 'db').action).to.equal('create');
  });

  it('ends when its time is over, with what was done and what waits', async () => {
    const paused = JSON.parse(deploymentManifest(fleet.namespace, 'db')) as { spec: object };
    const stuck = {
      ...paused,
      spec: { ...paused.spec, minReadySeconds: 3_000, progressDeadlineSeconds: 3_600 },
    };
    await fleet.repository.commit({ 'apps/web/db.yaml': JSON.stringify(stuck) });
    const { changes } = await fleet.once('sync', { waitMs: 3_000 });
    expect(changeOf(changes, 'db').action).to.equal('create');
    expect(changeOf(changes, 'web').reason).to.match(/^waits for Deployment\/db in \S+: ./);
    expect(changeOf(changes, 'web').action).to.equal('pending');
  });
});
