import { expect } from 'chai';

import { stringAt } from '../../../src/model/json.ts';
import {
  sharedControlPlane,
  startOwnControlPlane,
  type TestControlPlane,
} from '../../harness/control-plane.ts';
import {
  driftOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';
import type { Files } from '../../harness/git.ts';

const generator = `
apiVersion: fleetwright.dev/v1alpha1
kind: Generator
metadata: {name: web}
spec:
  clusterSelector: {}
  source: {path: apps/web}
`;

const files = (namespace: string, color: string): Files => ({
  'generators/web.yaml': generator,
  'apps/web/all.yaml': `
apiVersion: v1
kind: Namespace
metadata: {name: ${namespace}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: ${namespace}}
data: {color: ${color}}
`,
});

describe('a cluster that goes down', function () {
  this.timeout(120_000);
  let down: TestControlPlane;
  let fleet: TestFleet;
  let engine: TestEngine;
  const at = new Map<string, Outsider>();

  const path = (): string => `/api/v1/namespaces/${fleet.namespace}/configmaps/settings`;
  const colorIn = async (cluster: string): Promise<string | undefined> =>
    stringAt(await at.get(cluster)?.get(path()), 'data', 'color');
  const reported = (name: string) => engine.report().clusters.find((cluster) => cluster.name === name)!;
  const listed = (name: string) => engine.drift().clusters.find((cluster) => cluster.name === name)!;
  const statusOf = (name: string) => engine.status().clusters.find((cluster) => cluster.name === name)!;
  let revision: string;
  let goneAt: number;

  before(async () => {
    down = await startOwnControlPlane('cluster-down', { node: false });
    const clusters = [
      { name: 'down', controlPlane: down.controlPlane },
      { name: 'first', controlPlane: await sharedControlPlane(0) },
      { name: 'second', controlPlane: await sharedControlPlane(1) },
    ];
    for (const { name, controlPlane } of clusters) at.set(name, await outsider(controlPlane));
    fleet = await startTestFleet({ clusters, files: (namespace) => files(namespace, 'blue') });
    engine = fleet.start();
    await engine.settled();
    revision = engine.status().revision;
    expect(statusOf('down')).to.deep.include({ state: 'reachable', revision, objects: 2 });
  });

  after(async () => {
    await fleet.close();
    await Promise.all([...at.values()].map((someone) => someone.close()));
    await down.stop();
  });

  it('is unreachable in report, drift and status, with the time when it was last seen', async () => {
    goneAt = Date.now();
    await down.controlPlane.component('kube-apiserver').kill();
    await eventually(() => (statusOf('down').state === 'unreachable' ? true : undefined), 'status tells');
    await eventually(() => (reported('down').state === 'unreachable' ? true : undefined), 'the report tells');
    await eventually(
      () => (listed('down').state === 'unreachable' ? true : undefined),
      'the drift report tells',
    );
    for (const { lastSeenAt } of [statusOf('down'), reported('down'), listed('down')]) {
      expect(Date.parse(lastSeenAt ?? '')).to.be.within(goneAt - 60_000, Date.now());
    }
    expect(reported('down').errors.map(({ code }) => code)).to.deep.equal(['ClusterUnreachable']);
    expect(statusOf('down').message).to.be.a('string').and.not.equal('');
  });

  it('keeps being unreachable, and is last seen when it was', async () => {
    const { lastSeenAt } = statusOf('down');
    await fleet.repository.commit(files(fleet.namespace, 'green'));
    await eventually(
      async () => ((await colorIn('first')) === 'green' ? true : undefined),
      'the first has the commit',
    );
    await eventually(
      async () => ((await colorIn('second')) === 'green' ? true : undefined),
      'the second has it, too',
    );
    for (const { state, lastSeenAt: seen } of [statusOf('down'), reported('down'), listed('down')])
      expect({ state, seen }).to.deep.equal({ state: 'unreachable', seen: lastSeenAt });
  });

  it('is not forgotten: its revision and objects stay known, also to commands of one moment', async () => {
    expect(statusOf('down')).to.deep.include({ revision, objects: 2 });
    expect(reported('down').revision).to.equal(revision);
    const { drift } = await fleet.once('drift');
    const { state, lastSeenAt, revision: known } = drift.clusters.find(({ name }) => name === 'down')!;
    expect({ state, lastSeenAt, known }).to.deep.equal({
      state: 'unreachable',
      lastSeenAt: statusOf('down').lastSeenAt,
      known: revision,
    });
  });

  it('is at the revision that it has, also where another changes nothing in it', async () => {
    const engineAt = await fleet.repository.commit({ 'README.md': 'nothing for any cluster\n' });
    await eventually(
      () => (reported('first').revision === engineAt ? true : undefined),
      'the first is there',
    );
    await fleet.repository.commit(files(fleet.namespace, 'blue'));
    const back = engine.status().revision;
    await eventually(
      async () =>
        engine.status().revision !== back && (await colorIn('first')) === 'blue' ? true : undefined,
      'Git wants again what it has',
    );
    expect(statusOf('down')).to.deep.include({ state: 'unreachable', revision, objects: 2 });
    await fleet.repository.commit(files(fleet.namespace, 'green'));
    await eventually(async () => ((await colorIn('first')) === 'green' ? true : undefined), 'green again');
  });

  it('keeps no other from having its drift corrected', async () => {
    await at.get('first')!.patch(path(), { data: { color: 'red' } });
    await eventually(async () => ((await colorIn('first')) === 'green' ? true : undefined), 'green again');
    await eventually(
      () => (driftOf(engine.drift(), 'settings')?.action === 'corrected' ? true : undefined),
      'listed',
    );
  });

  it('catches up by itself when it is back', async () => {
    await down.controlPlane.component('kube-apiserver').start();
    await eventually(
      async () => ((await colorIn('down')) === 'green' ? true : undefined),
      'it has the commit',
    );
    await eventually(() => (statusOf('down').state === 'reachable' ? true : undefined), 'it is reachable');
    expect(statusOf('down')).to.deep.include({ revision: engine.status().revision });
    expect(statusOf('down')).not.to.have.property('message');
    expect(reported('down')).to.deep.include({ state: 'reachable', errors: [] });
  });
});
