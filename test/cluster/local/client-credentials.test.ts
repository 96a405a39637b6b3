import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { connectTestApi } from '../../harness/test-api.ts';

describe('an issued client', () => {
  it('has no rights but those that RBAC gives its user or groups', async () => {
    const controlPlane = await sharedControlPlane();
    const group = uniqueNamespace('readers');
    const admin = await connectTestApi(controlPlane);
    const jane = await connectTestApi(controlPlane, { user: 'jane', groups: [group] });
    const pods = { method: 'GET', path: '/api/v1/namespaces/default/pods' } as const;
    expect((await jane.send(pods)).status).to.equal(403);

    await admin.create('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      metadata: { name: group },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
    });
    await jane.until(pods.path, (_, status) => status === 200);
    expect((await jane.send({ method: 'GET', path: '/api/v1/namespaces/kube-system/pods' })).status).to.equal(
      403,
    );
    await Promise.all([admin.close(), jane.close()]);
  });

  it('is refused once its lifetime is over', async () => {
    const controlPlane = await sharedControlPlane();
    const brief = await connectTestApi(controlPlane, { user: 'brief', lifetimeMs: 3_000 });
    expect((await brief.send({ method: 'GET', path: '/version' })).status).to.equal(200);
    await sleep(3_000);
    expect((await brief.send({ method: 'GET', path: '/version' })).status).to.equal(401);
    await brief.close();
  });
});
