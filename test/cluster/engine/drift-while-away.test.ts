import { expect } from 'chai';

import type { Drift } from '../../../src/model/change.ts';
import { stringAt } from '../../../src/model/json.ts';
import { startOwnControlPlane, type TestControlPlane } from '../../harness/control-plane.ts';
import { type ConnectionProxy, proxyConnections } from '../../harness/fault-proxy.ts';
import {
  driftOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';

const names = [
  'stopped',
  'stopped-deleted',
  'forgotten',
  'restarted',
  'restarted-deleted',
  'cut',
  'cut-deleted',
  'silent',
];

const manifests = (namespace: string): string =>
  [
    `{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`,
    ...names.map(
      (name) =>
        `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: ${namespace}}, data: {color: blue}}`,
    ),
  ].join('\n---\n');

describe('drift made while nobody looked', function () {
  this.timeout(120_000);
  let own: TestControlPlane;
  let proxy: ConnectionProxy;
  let fleet: TestFleet;
  let engine: TestEngine;
  let someone: Outsider;

  const path = (name: string): string => `/api/v1/namespaces/${fleet.namespace}/configmaps/${name}`;
  const edit = (name: string): Promise<unknown> => someone.patch(path(name), { data: { color: 'red' } });
  const blue = (name: string): Promise<true> =>
    eventually(
      async () => (stringAt(await someone.get(path(name)), 'data', 'color') === 'blue' ? true : undefined),
      `${name} is blue again`,
      30_000,
    );
  const corrected = async (name: string): Promise<Drift> => {
    await blue(name);
    return eventually(() => {
      const drift = driftOf(engine.drift(), name);
      return drift?.action === 'corrected' ? drift : undefined;
    }, `${name} is listed`);
  };
  const expectEdit = (drift: Drift): void => {
    expect(
      drift.fields.map((field) => [field.path, field.desired, field.live, field.changedBy[0]?.manager]),
    ).to.deep.equal([['.data.color', 'blue', 'red', 'kubectl-edit']]);
  };

  before(async () => {
    own = await startOwnControlPlane('while-away', { node: false });
    proxy = await proxyConnections(own.controlPlane);
    someone = await outsider(own.controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: proxy }],
      files: (namespace) => ({ 'clusters/tokyo/all.yaml': manifests(namespace) }),
    });
    engine = fleet.start();
    await engine.settled();
  });

  after(async () => {
    await fleet.close();
    await someone.close();
    await proxy.close();
    await own.stop();
  });

  it('is found at the start, with who made it', async () => {
    await engine.stop();
    await edit('stopped');
    await someone.delete(path('stopped-deleted'));
    engine = fleet.start();
    await engine.settled();
    expectEdit(await corrected('stopped'));
    expect((await corrected('stopped-deleted')).kind).to.equal('missing');
  });

  it('is found by an engine that remembers nothing, too', async () => {
    await engine.stop();
    await fleet.forget();
    await edit('forgotten');
    engine = fleet.start();
    await engine.settled();
    expectEdit(await corrected('forgotten'));
  });

  it('is found when the API server is back', async () => {
    const apiServer = own.controlPlane.component('kube-apiserver');
    proxy.setPassage('refuse');
    proxy.cut();
    await apiServer.restart();
    await edit('restarted');
    await someone.delete(path('restarted-deleted'));
    proxy.setPassage('open');
    expectEdit(await corrected('restarted'));
    expect((await corrected('restarted-deleted')).kind).to.equal('missing');
  });

  it('is found when a connection that was cut is back', async () => {
    proxy.setPassage('refuse');
    proxy.cut();
    await edit('cut');
    await someone.delete(path('cut-deleted'));
    await eventually(
      () => (engine.status().clusters[0]?.state === 'unreachable' ? true : undefined),
      'the loss is noticed',
    );
    proxy.setPassage('open');
    expectEdit(await corrected('cut'));
    expect((await corrected('cut-deleted')).kind).to.equal('missing');
    await eventually(
      () => (engine.status().clusters[0]?.state === 'reachable' ? true : undefined),
      'it is reachable again',
    );
  });

  it('is found when a connection dies without a word', async () => {
    proxy.setPassage('blackhole');
    await edit('silent');
    await eventually(
      () => (engine.status().clusters[0]?.state === 'unreachable' ? true : undefined),
      'the silence is noticed',
      90_000,
    );
    proxy.setPassage('open');
    proxy.cut();
    expectEdit(await corrected('silent'));
  });
});
