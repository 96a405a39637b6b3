import { expect } from 'chai';
import { stringAt } from '../../../src/model/json.ts';
import { componentNames } from '../../../src/local/control-plane/component-name.ts';
import { startOwnControlPlane, type TestControlPlane } from '../../harness/control-plane.ts';
import { connectTestApi, type TestApi } from '../../harness/test-api.ts';

describe('a component of a control plane', () => {
  let own: TestControlPlane;
  let api: TestApi;

  before(async () => {
    own = await startOwnControlPlane('restart', { node: false });
    api = await connectTestApi(own.controlPlane);
    await api.create('/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'kept' },
      data: { a: '1' },
    });
  });
  after(async () => {
    await api.close();
    await own.stop();
  });

  for (const name of componentNames) {
    it(`${name} comes back after a kill, on the same address with the same data`, async () => {
      const component = own.controlPlane.component(name);
      const before = component.pid;
      await component.kill();
      expect(component.running).to.equal(false);
      expect(component.pid).to.equal(undefined);

      await component.start();
      expect(component.running).to.equal(true);
      expect(component.pid).to.be.a('number').and.not.equal(before);
      const kept = await api.until(
        '/api/v1/namespaces/default/configmaps/kept',
        (_, status) => status === 200,
      );
      expect(stringAt(kept, 'data', 'a')).to.equal('1');
    });
  }

  it('refuses connections while the API server is stopped', async () => {
    const component = own.controlPlane.component('kube-apiserver');
    await component.stop();
    const error: unknown = await api
      .send({ method: 'GET', path: '/version' })
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.an('error').with.property('code', 'ECONNREFUSED');
    await component.restart();
    expect((await api.send({ method: 'GET', path: '/version' })).status).to.equal(200);
  });
});
