import { expect } from 'chai';
import type { KubeClient } from '../../../src/kube/kube-client.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { type ConnectionProxy, proxyConnections } from '../../harness/fault-proxy.ts';
import { apply, configMap, connectTo, createNamespace, deadline } from '../kube/kube-fixture.ts';
import { describeState, eventually, names, partOf, watch, type Watched } from './observe-fixture.ts';

describe('an observer that loses its connection', () => {
  let direct: KubeClient;
  let namespace: string;
  let applySetId: string;
  let proxy: ConnectionProxy;
  let proxied: KubeClient;

  beforeEach(async () => {
    const controlPlane = await sharedControlPlane();
    direct = await connectTo(controlPlane.kubeconfigPath);
    namespace = await createNamespace(controlPlane);
    applySetId = `applyset-${uniqueNamespace()}-v1`;
    proxy = await proxyConnections(controlPlane);
    proxied = await connectTo(proxy.kubeconfigPath);
    await put('kept');
    await put('doomed');
  });
  afterEach(() => proxy.close());

  const put = (name: string, data?: Record<string, string>) =>
    apply(direct, partOf(applySetId, configMap(namespace, name, data)));
  const remove = (name: string) =>
    direct.request({
      method: 'DELETE',
      path: `/api/v1/namespaces/${namespace}/configmaps/${name}`,
      signal: deadline(),
    });
  const state = ({ observer }: Watched, groupKind = 'ConfigMap') =>
    describeState(observer.kindState(groupKind));

  it('goes on where it was when the connection was merely cut, without reading all again', async () => {
    const watched = await watch(proxied, ['v1/ConfigMap'], { applySetId, random: () => 0.01 });
    expect(names(watched.observer)).to.deep.equal([
      `ConfigMap/doomed in ${namespace}`,
      `ConfigMap/kept in ${namespace}`,
    ]);
    const told = watched.changes.length;
    const { streams } = proxied.counters();
    proxy.cut();
    await eventually('the next watch', () => proxied.counters().streams > streams);
    await remove('doomed');
    await put('new');
    await eventually('what happened meanwhile', () => watched.changes.length >= told + 2);
    // A second whole read would have shown the kept one again, at least as unchanged; a resumed watch is silent on it.
    expect(watched.changes.slice(told).map(({ ref }) => ref.name)).to.deep.equal(['doomed', 'new']);
    expect(watched.states).to.deep.equal(['ConfigMap synced']);
    expect(proxied.counters()).to.deep.include({ streams: streams + 1 });
  });

  it('keeps what it knew while nothing answers, says so, and catches up', async () => {
    const watched = await watch(proxied, ['v1/ConfigMap', 'apps/v1/Deployment'], { applySetId });
    proxy.setPassage('refuse');
    proxy.cut();
    await eventually(
      'both kinds failed',
      () => state(watched) !== 'synced' && state(watched, 'Deployment.apps') !== 'synced',
    );
    expect(state(watched)).to.equal('failed ClusterUnreachable');
    expect(names(watched.observer)).to.have.length(2);
    await remove('doomed');
    await put('kept', { a: 'changed' });
    proxy.setPassage('open');
    await eventually(
      'both kinds back',
      () => state(watched) === 'synced' && state(watched, 'Deployment.apps') === 'synced',
    );
    await eventually('the removal', () => names(watched.observer).length === 1);
    expect(
      watched.changes.filter(({ after }) => after === undefined).map(({ ref }) => ref.name),
    ).to.deep.equal(['doomed']);
  });

  it('notices a connection that swallows everything, and starts another', async () => {
    const watched = await watch(proxied, ['v1/ConfigMap'], { applySetId, silenceMs: 1_500 });
    proxy.setPassage('blackhole');
    await remove('doomed');
    await eventually('the silence', () => state(watched) === 'failed ClusterUnreachable');
    expect(names(watched.observer)).to.have.length(2);
    proxy.setPassage('open');
    await eventually('the removal', () => names(watched.observer).length === 1);
    expect(state(watched)).to.equal('synced');
  });

  it('shares one connection among all kinds, and asks nothing at rest', async () => {
    const kinds = [
      'ConfigMap',
      'Secret',
      'Service',
      'Namespace',
      'ServiceAccount',
      'Pod',
      'Event',
      'Endpoints',
    ];
    const watched = await watch(
      proxied,
      [...kinds.map((kind) => `v1/${kind}`), 'apps/v1/Deployment', 'apps/v1/DaemonSet'],
      { applySetId },
    );
    expect(watched.states.filter((line) => line.endsWith(' synced'))).to.have.length(10);
    // One for requests (discovery makes two at a time), one for the watches.
    expect(proxy.openConnections()).to.be.at.most(3);
    const { requests } = proxied.counters();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(proxied.counters().requests).to.equal(requests);
  });
});
