import { expect } from 'chai';
import { startOwnControlPlane, type TestControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { apply, configMap, connectTo, createNamespace, deadline } from '../kube/kube-fixture.ts';
import { describeState, eventually, names, partOf, watch } from './observe-fixture.ts';

describe('an API server that restarts', () => {
  let own: TestControlPlane;
  before(async () => {
    own = await startOwnControlPlane('restarted');
  });
  after(() => own.stop());

  it('loses nobody any object, and changes made on its return are noticed', async () => {
    const client = await connectTo(own.controlPlane.kubeconfigPath);
    const namespace = await createNamespace(own.controlPlane);
    const applySetId = `applyset-${uniqueNamespace()}-v1`;
    for (const name of ['kept', 'doomed'])
      await apply(client, partOf(applySetId, configMap(namespace, name)));
    const { observer, changes } = await watch(client, ['v1/ConfigMap'], { applySetId });
    const told = changes.length;

    const server = own.controlPlane.component('kube-apiserver');
    await server.kill();
    await eventually(
      'the loss',
      () => describeState(observer.kindState('ConfigMap')) === 'failed ClusterUnreachable',
    );
    expect(names(observer)).to.have.length(2);

    await server.start();
    await client.request({
      method: 'DELETE',
      path: `/api/v1/namespaces/${namespace}/configmaps/doomed`,
      signal: deadline(),
    });
    await apply(client, partOf(applySetId, configMap(namespace, 'new')));
    await eventually('what happened meanwhile', () =>
      observer.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'new' }),
    );
    await eventually('the removal', () => names(observer).length === 2);
    expect(describeState(observer.kindState('ConfigMap'))).to.equal('synced');
    expect(
      changes.slice(told).map(({ ref, after }) => `${ref.name} ${after === undefined ? 'gone' : 'here'}`),
    ).to.have.members(['doomed gone', 'new here']);
  });
});
