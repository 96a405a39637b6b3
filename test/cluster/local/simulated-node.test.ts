import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { arrayAt, type JsonObject, objectAt, stringAt, valueAt } from '../../../src/model/json.ts';
import { nodeUser } from '../../../src/local/control-plane/simulated-node.ts';
import { auditFromNow, requestsBy } from '../../harness/audit.ts';
import { sharedControlPlane, startOwnControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { connectTestApi, type TestApi } from '../../harness/test-api.ts';

describe('the simulated node', () => {
  const namespace = uniqueNamespace('node');
  const apps = `/apis/apps/v1/namespaces/${namespace}`;
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  let api: TestApi;

  before(async () => {
    api = await connectTestApi(await sharedControlPlane());
    await api.create('/api/v1/namespaces', { metadata: { name: namespace } });
  });
  after(async () => {
    await api.send({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
    await api.close();
  });

  it('makes a Deployment available', async () => {
    await api.create(`${apps}/deployments`, {
      metadata: { name: 'web' },
      spec: { replicas: 2, ...workload('web') },
    });
    const deployment = await api.until(
      `${apps}/deployments/web`,
      (body) => condition(body, 'Available') === 'True',
    );
    expect(objectAt(deployment, 'status')).to.include({ replicas: 2, readyReplicas: 2 });
  });

  it('makes a DaemonSet ready on its one node', async () => {
    await api.create(`${apps}/daemonsets`, { metadata: { name: 'agent' }, spec: workload('agent') });
    await api.until(`${apps}/daemonsets/agent`, (body) => valueAt(body, 'status', 'numberReady') === 1);
  });

  it('makes a StatefulSet ready, one Pod after the other', async () => {
    await api.create(`${apps}/statefulsets`, {
      metadata: { name: 'db' },
      spec: { replicas: 2, serviceName: 'db', ...workload('db') },
    });
    await api.until(`${apps}/statefulsets/db`, (body) => valueAt(body, 'status', 'readyReplicas') === 2);
  });

  it('completes a Job and lets it be deleted', async () => {
    const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    await api.create(jobs, { metadata: { name: 'once' }, spec: { template: podTemplate('once', 'Never') } });
    await api.until(`${jobs}/once`, (body) => condition(body, 'Complete') === 'True');
    await api.send({ method: 'DELETE', path: `${jobs}/once?propagationPolicy=Foreground` });
    await api.until(`${jobs}/once`, (_, status) => status === 404);
  });

  it('leaves an image that is missing in ImagePullBackOff, until it is replaced', async () => {
    const template = podTemplate('bad', 'Always', 'registry.test/does-not-exist:1');
    await api.create(pods, { metadata: { name: 'bad' }, spec: template['spec'] ?? {} });
    const stuck = await api.until(
      `${pods}/bad`,
      (body) => arrayAt(body, 'status', 'containerStatuses').length > 0,
    );
    const [container] = arrayAt(stuck, 'status', 'containerStatuses');
    expect(stringAt(container, 'state', 'waiting', 'reason')).to.equal('ImagePullBackOff');
    expect(stringAt(stuck, 'status', 'phase')).to.equal('Pending');

    await api.send({
      method: 'PATCH',
      path: `${pods}/bad`,
      contentType: 'application/strategic-merge-patch+json',
      body: { spec: { containers: [{ name: 'main', image: 'nginx' }] } },
    });
    await api.until(`${pods}/bad`, (body) => condition(body, 'Ready') === 'True');
  });

  it('lets a deleted Pod go at once, whatever its grace period', async () => {
    await api.create(pods, {
      metadata: { name: 'brief' },
      spec: podTemplate('brief', 'Always')['spec'] ?? {},
    });
    await api.until(`${pods}/brief`, (body) => condition(body, 'Ready') === 'True');
    await api.send({ method: 'DELETE', path: `${pods}/brief?gracePeriodSeconds=3600` });
    await api.until(`${pods}/brief`, (_, status) => status === 404);
  });

  it('makes no request at rest', async () => {
    const own = await startOwnControlPlane('rest');
    const audit = await auditFromNow(own.controlPlane);
    await sleep(2_000);
    expect(requestsBy(await audit.events(), nodeUser)).to.deep.equal([]);
    await own.stop();
  });

  it('goes on after the API server was away', async () => {
    const own = await startOwnControlPlane('away');
    await own.controlPlane.component('kube-apiserver').kill();
    await own.controlPlane.component('kube-apiserver').start();
    const other = await connectTestApi(own.controlPlane);
    const path = '/apis/apps/v1/namespaces/default/deployments';
    await other.create(path, { metadata: { name: 'web' }, spec: { replicas: 1, ...workload('web') } });
    await other.until(`${path}/web`, (body) => condition(body, 'Available') === 'True');
    await other.close();
    await own.stop();
  });
});

function workload(app: string): JsonObject {
  return { selector: { matchLabels: { app } }, template: podTemplate(app, 'Always') };
}

function podTemplate(app: string, restartPolicy: string, image = 'nginx'): JsonObject {
  return { metadata: { labels: { app } }, spec: { restartPolicy, containers: [{ name: 'main', image }] } };
}

function condition(body: unknown, type: string): string | undefined {
  return stringAt(
    arrayAt(body, 'status', 'conditions').find((item) => stringAt(item, 'type') === type),
    'status',
  );
}
