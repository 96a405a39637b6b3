import { expect } from 'chai';
import { auditFromNow, requestsBy, writesBy } from '../../harness/audit.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { connectTestApi } from '../../harness/test-api.ts';

describe('the audit log', () => {
  it('has each request of a user, and tells writes from reads and dry runs', async () => {
    const controlPlane = await sharedControlPlane();
    const user = uniqueNamespace('auditee');
    const api = await connectTestApi(controlPlane, { user });
    const audit = await auditFromNow(controlPlane);
    const path = '/api/v1/namespaces/default/configmaps';
    await api.create(path, { metadata: { name: user } });
    await api.create(`${path}?dryRun=All`, { metadata: { name: `${user}-dry` } });
    await api.send({ method: 'GET', path: `${path}/${user}` });
    await api.send({ method: 'DELETE', path: `${path}/${user}` });

    const events = await audit.events();
    expect(requestsBy(events, user).map((event) => event.verb)).to.deep.equal([
      'create',
      'create',
      'get',
      'delete',
    ]);
    expect(
      writesBy(events, user).map(({ verb, resource, status }) => ({ verb, resource, status })),
    ).to.deep.equal([
      { verb: 'create', resource: 'configmaps', status: 201 },
      { verb: 'delete', resource: 'configmaps', status: 200 },
    ]);
    await api.close();
  });
});
