import { expect } from 'chai';
import { discover, serverVersion } from '../../../src/kube/discovery.ts';
import type { KubeClient } from '../../../src/kube/kube-client.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { type AnswerProxy, proxyAnswers } from '../../harness/fault-proxy.ts';
import { apply, connectTo, deadline, errorOf } from './kube-fixture.ts';

describe('discovery', () => {
  let client: KubeClient;
  let proxy: AnswerProxy;
  before(async () => {
    const controlPlane = await sharedControlPlane();
    client = await connectTo(controlPlane.kubeconfigPath);
    proxy = await proxyAnswers(controlPlane);
  });
  after(() => proxy.close());

  it('tells the kinds and the version of a server in three requests', async () => {
    const { requests } = client.counters();
    const discovery = await discover(client, deadline());
    expect(discovery.find('v1', 'ConfigMap')).to.include({ plural: 'configmaps', namespaced: true });
    expect(discovery.find('v1', 'Namespace')).to.include({ plural: 'namespaces', namespaced: false });
    expect(discovery.findGroupKind('Deployment.apps')).to.include({ apiVersion: 'apps/v1' });
    expect(discovery.findGroupKind('HorizontalPodAutoscaler.autoscaling')).to.include({
      apiVersion: 'autoscaling/v2',
    });
    expect(discovery.find('autoscaling/v1', 'HorizontalPodAutoscaler')?.plural).to.equal(
      'horizontalpodautoscalers',
    );
    expect(discovery.find('v1', 'Nonsense')).to.equal(undefined);
    expect(await serverVersion(client, deadline())).to.match(/^v1\.\d+/);
    expect(client.counters().requests - requests).to.equal(3);
  });

  it('finds the same on a server that knows only the old way', async () => {
    const modern = await discover(client, deadline());
    // What an old server does with media types that it does not know: it answers with the plain one.
    const old = await connectTo(proxy.kubeconfigPath);
    proxy.stripAccept = true;
    const discovery = await discover(old, deadline());
    proxy.stripAccept = false;
    expect(proxy.seen).to.include('GET /apis/apps/v1');
    const lines = (all: typeof modern) =>
      all
        .all()
        .map((resource) => `${resource.apiVersion} ${resource.kind} ${resource.plural}`)
        .sort();
    expect(lines(discovery)).to.deep.equal(lines(modern));
    expect(discovery.findGroupKind('HorizontalPodAutoscaler.autoscaling')?.apiVersion).to.equal(
      'autoscaling/v2',
    );
  });

  it('counts the group of a broken APIService as failed, and no other', async () => {
    const group = `${uniqueNamespace('metrics')}.example.com`;
    await apply(client, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `v1.${group}` },
      spec: {
        group,
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 'nowhere', port: 443 },
      },
    });
    try {
      const signal = deadline();
      let discovery = await discover(client, signal);
      while (!discovery.failedGroups.includes(group)) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        discovery = await discover(client, signal);
      }
      expect(discovery.failedGroups).to.deep.equal([group]);
      expect(discovery.findGroupKind('Deployment.apps')?.plural).to.equal('deployments');
    } finally {
      await client.request({
        method: 'DELETE',
        path: `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`,
        signal: deadline(),
      });
    }
  });

  it('is no discovery at all when the server cannot be read', async () => {
    const troubled = await connectTo(proxy.kubeconfigPath, { requestDeadlineMs: 2_000 });
    proxy.answer = ({ url }) =>
      url === '/apis' ? { status: 200, body: '<html>Please log in</html>' } : undefined;
    expect((await errorOf(discover(troubled, deadline()))).code).to.equal('ClusterUnreachable');
    proxy.answer = () => undefined;
  });
});
