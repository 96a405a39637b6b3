import { expect } from 'chai';

import type { JsonObject } from '../../../src/model/json.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import {
  clusterOfUser,
  configMap,
  configMapPath,
  generatorFile,
  namespaceFile,
} from '../../harness/fleet-files.ts';
import {
  changeOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

const rules = (...verbs: readonly string[]): JsonObject[] => [
  {
    apiGroups: [''],
    resources: ['namespaces', 'configmaps'],
    verbs: ['get', 'list', 'watch', 'create', 'patch', ...verbs],
  },
];

describe('a deletion that is refused, with the engine running', () => {
  const user = uniqueNamespace('keeper');
  let fleet: TestFleet;
  let someone: Outsider;

  before(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    await someone.create(roles, { metadata: { name: user }, rules: rules() });
    await someone.create(bindings, {
      metadata: { name: user },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    });
    fleet = await startTestFleet({
      clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user, groups: [] })],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/one.yaml': configMap(namespace, 'one'),
        'apps/web/two.yaml': configMap(namespace, 'two'),
      }),
    });
  });

  after(async () => {
    await fleet.close();
    await someone.delete(`${bindings}/${user}`);
    await someone.delete(`${roles}/${user}`);
    await someone.close();
  });

  it('is reported, and done without a new commit once it is allowed', async () => {
    const engine = fleet.start();
    await eventually(() => someone.get(configMapPath(fleet.namespace, 'two')), 'all is created');
    await fleet.repository.commit({ 'apps/web/two.yaml': null });
    const error = await eventually(() => {
      const change = engine.report().clusters[0]?.changes.find(({ ref }) => ref.name === 'two');
      return change?.action === 'failed' ? change.error : undefined;
    }, 'the refusal is reported');
    expect(error.code).to.equal('Forbidden');
    expect(error.subject.origin?.generator).to.equal('web');
    await someone.patch(`${roles}/${user}`, { rules: rules('delete') });
    await eventually(
      async () =>
        (await someone.get(configMapPath(fleet.namespace, 'two'))) === undefined ? true : undefined,
      'it is deleted',
    );
    await eventually(
      () => (engine.report().clusters[0]?.changes.some(({ ref }) => ref.name === 'two') ? undefined : true),
      'it is in no report any more',
    );
    expect(changeOf(engine.report(), 'one').action).to.equal('unchanged');
  });
});
