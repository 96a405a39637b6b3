import { expect } from 'chai';
import type { KubeClient } from '../../../src/kube/kube-client.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { type AnswerProxy, proxyAnswers } from '../../harness/fault-proxy.ts';
import { apply, configMap, connectTo, createNamespace, deadline } from '../kube/kube-fixture.ts';
import { listOwned } from '../../../src/observe/list-owned.ts';
import { describeState, eventually, names, partOf, resourcesOf, watch } from './observe-fixture.ts';

const status = (code: number, reason: string, message = reason): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message });

describe('an observer whose watches are refused', () => {
  let controlPlane: ControlPlane;
  let direct: KubeClient;
  let namespace: string;
  let applySetId: string;
  let proxy: AnswerProxy;
  let proxied: KubeClient;

  beforeEach(async () => {
    controlPlane = await sharedControlPlane();
    direct = await connectTo(controlPlane.kubeconfigPath);
    namespace = await createNamespace(controlPlane);
    applySetId = `applyset-${uniqueNamespace()}-v1`;
    proxy = await proxyAnswers(controlPlane);
    proxied = await connectTo(proxy.kubeconfigPath);
    for (const name of ['kept', 'doomed']) await put(name);
  });
  afterEach(() => proxy.close());

  const put = (name: string) => apply(direct, partOf(applySetId, configMap(namespace, name)));
  const remove = (name: string) =>
    direct.request({
      method: 'DELETE',
      path: `/api/v1/namespaces/${namespace}/configmaps/${name}`,
      signal: deadline(),
    });
  const isFirstRead = (url: string): boolean => url.includes('sendInitialEvents');
  const isResumed = (url: string): boolean => url.includes('watch=1') && url.includes('resourceVersion=');

  it('reads all anew where the server has forgotten its place, and only then tells what is gone', async () => {
    // The first read is cut after its objects have come; the server then forgets every place to go on from.
    const { observer, changes, states } = await watch(proxied, ['v1/ConfigMap'], {
      applySetId,
    });
    const told = changes.length;
    const gone = JSON.stringify({
      type: 'ERROR',
      object: JSON.parse(status(410, 'Expired', 'too old resource version')) as unknown,
    });
    proxy.answer = ({ url }) => {
      if (isResumed(url))
        return { status: 200, headers: { 'content-type': 'application/json' }, body: `${gone}\n` };
      return isFirstRead(url) || url.includes('limit=') ? { cutAfterBytes: 40 } : undefined;
    };
    proxy.cut();
    await eventually('a whole read that is cut', () => proxy.seen.filter(isFirstRead).length >= 2);
    await remove('doomed');
    expect(names(observer)).to.have.length(2);
    proxy.answer = () => undefined;
    await eventually('the removal', () => names(observer).length === 1);
    expect(changes.slice(told)).to.have.length(1);
    expect(states).to.include('ConfigMap syncing');
    expect(describeState(observer.kindState('ConfigMap'))).to.equal('synced');
  });

  it('lists plainly where the server cannot stream a list', async () => {
    proxy.answer = ({ url }) =>
      isFirstRead(url)
        ? { status: 422, body: status(422, 'Invalid', 'sendInitialEvents is forbidden for watch') }
        : undefined;
    const { observer, states } = await watch(proxied, ['v1/ConfigMap'], { applySetId });
    expect(names(observer)).to.have.length(2);
    expect(states).to.deep.equal(['ConfigMap synced']);
    await put('new');
    await eventually('the new one', () => names(observer).length === 3);
  });

  it('has two kinds fail without a word to the third', async () => {
    proxy.answer = ({ url }) => {
      if (url.includes('/services'))
        return { status: 500, body: status(500, 'InternalError', 'conversion webhook failed') };
      if (url.includes('/deployments'))
        return { status: 429, headers: { 'retry-after': '1' }, body: 'too many requests' };
      return undefined;
    };
    const { observer } = await watch(proxied, ['v1/ConfigMap', 'v1/Service', 'apps/v1/Deployment'], {
      applySetId,
    });
    const statesNow = () =>
      ['ConfigMap', 'Service', 'Deployment.apps'].map((kind) => describeState(observer.kindState(kind)));
    expect(statesNow()).to.deep.equal(['synced', 'failed ServerFailed', 'failed RateLimited']);
    await put('new');
    await eventually('the new one', () => names(observer).length === 3);
    proxy.answer = () => undefined;
    await eventually('all kinds', () => statesNow().every((state) => state === 'synced'));
  });

  it('has a kind fail alone that RBAC does not let it see, in a listing as well', async () => {
    const user = uniqueNamespace('watcher');
    const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: user } };
    await apply(direct, {
      ...rbac,
      kind: 'ClusterRole',
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }],
    });
    await apply(direct, {
      ...rbac,
      kind: 'ClusterRoleBinding',
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    });
    const limited = await connectTo(await controlPlane.issueClient(user, [], 3_600_000));
    const kinds = ['v1/ConfigMap', 'v1/Secret'];
    const { observer } = await watch(limited, kinds, { applySetId });
    const listed = await listOwned({
      client: limited,
      resources: await resourcesOf(direct, kinds),
      applySetId,
      signal: deadline(),
    });
    for (const inventory of [observer, listed]) {
      expect(describeState(inventory.kindState('ConfigMap'))).to.equal('synced');
      expect(describeState(inventory.kindState('Secret'))).to.equal('failed Forbidden');
      expect([...inventory.owned()].map(({ ref }) => ref.name).sort()).to.deep.equal(['doomed', 'kept']);
    }
    expect([...listed.owned()]).to.have.deep.members([...observer.owned()]);
  });
});
