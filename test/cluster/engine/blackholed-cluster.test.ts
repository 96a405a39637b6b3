import { expect } from 'chai';

import { stringAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { type ConnectionProxy, proxyConnections } from '../../harness/fault-proxy.ts';
import { type Outsider, outsider, startTestFleet, type TestFleet } from '../../harness/fleet.ts';

const generator = `
apiVersion: fleetwright.dev/v1alpha1
kind: Generator
metadata: {name: web}
spec:
  clusterSelector: {}
  source: {path: apps/web}
`;

const manifests = (namespace: string): string => `
{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: ${namespace}}, data: {color: blue}}
`;

describe('a sync of one moment with a cluster that swallows every byte', function () {
  this.timeout(180_000);
  let proxy: ConnectionProxy;
  let fleet: TestFleet;
  let someone: Outsider;

  before(async () => {
    const healthy = await sharedControlPlane(0);
    someone = await outsider(healthy);
    proxy = await proxyConnections(await sharedControlPlane(1));
    proxy.setPassage('blackhole');
    fleet = await startTestFleet({
      clusters: [
        { name: 'mute', controlPlane: proxy },
        { name: 'healthy', controlPlane: healthy },
      ],
      files: (namespace) => ({ 'generators/web.yaml': generator, 'apps/web/all.yaml': manifests(namespace) }),
    });
  });

  after(async () => {
    await fleet.close();
    await proxy.close();
    await someone.close();
  });

  it('syncs the others at once, and ends by the deadline of the mute one', async () => {
    const path = `/api/v1/namespaces/${fleet.namespace}/configmaps/settings`;
    let healthyWasDone = false;
    const { changes } = await fleet.once('sync', {
      signal: AbortSignal.timeout(150_000),
      onProgress: (event) => {
        if (event.kind !== 'cluster') return;
        if (event.cluster === 'healthy' && event.phase === 'done') healthyWasDone = true;
        if (event.cluster === 'mute' && event.phase === 'unreachable') expect(healthyWasDone).to.equal(true);
      },
    });
    expect(
      changes.clusters.map(({ name, state, errors }) => [name, state, errors.map(({ code }) => code)]),
    ).to.have.deep.members([
      ['mute', 'unreachable', ['ClusterUnreachable']],
      ['healthy', 'reachable', []],
    ]);
    expect(healthyWasDone).to.equal(true);
    expect(stringAt(await someone.get(path), 'data', 'color')).to.equal('blue');
  });
});
