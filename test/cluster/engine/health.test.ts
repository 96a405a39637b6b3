import { expect } from 'chai';

import type { ClusterHealth } from '../../../src/model/health.ts';
import { openStateStore } from '../../../src/store/state-store.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import { startTestFleet, type TestEngine, type TestFleet } from '../../harness/fleet.ts';
import { deploymentManifest } from '../../harness/workloads.ts';
import { eventually } from '../observe/observe-fixture.ts';

describe('how the objects of a cluster fare', () => {
  let fleet: TestFleet;
  let engine: TestEngine;

  const health = (): ClusterHealth | undefined => engine.status().clusters[0]!.health;
  const unwell = (): string[] =>
    (health()?.unwell ?? []).map(({ ref, state, reason }) => `${ref.kind}/${ref.name} ${state}: ${reason}`);

  before(async () => {
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: await sharedControlPlane() }],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/web.yaml': deploymentManifest(namespace, 'web'),
      }),
    });
    engine = fleet.start();
    await engine.settled();
  });

  after(() => fleet.close());

  it('is told as soon as the cluster tells it, without another sync', async () => {
    await eventually('the Deployment is healthy', () => health()?.counts.healthy === 1);
    expect(health()).to.deep.equal({
      counts: { healthy: 1, progressing: 0, degraded: 0, suspended: 0 },
      unwell: [],
    });
  });

  it('names what is not well, and why', async () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: fleet.namespace },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'none-such',
        resources: { requests: { storage: '1Gi' } },
      },
    };
    await fleet.repository.commit({ 'apps/web/claim.yaml': JSON.stringify(claim) });
    await eventually('the claim waits', () => health()?.counts.progressing === 1);
    expect(unwell()).to.have.length(1);
    expect(unwell()[0]).to.match(/^PersistentVolumeClaim\/data progressing: ./);
  });

  it('is nothing any more once the object is gone', async () => {
    await fleet.repository.commit({ 'apps/web/claim.yaml': null });
    await eventually('the claim is gone', () => health()?.counts.progressing === 0);
    expect(unwell()).to.deep.equal([]);
  });

  it('is remembered for those who ask when no engine runs', async () => {
    await engine.stop();
    const store = openStateStore(fleet.settings.stateDir, { readOnly: true });
    const remembered = store.memory('tokyo')?.health;
    store.close();
    expect(remembered?.counts).to.include({ healthy: 1, degraded: 0 });
  });
});
