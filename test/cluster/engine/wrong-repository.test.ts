import { expect } from 'chai';

import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  actionsOf,
  changeOf,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

describe('a revision that knows nothing of what is here', () => {
  let fleet: TestFleet;
  let someone: Outsider;

  beforeEach(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({
        'generators/base.yaml': generatorFile('base'),
        'generators/web.yaml': generatorFile('web'),
        'apps/base/namespace.yaml': namespaceFile(namespace),
        'apps/web/map.yaml': configMap(namespace, 'web'),
      }),
    });
    await fleet.sync();
  });

  afterEach(async () => {
    await fleet.close();
    await someone.close();
  });

  it('removes nothing: a force-push of another history, a wrong branch and a wrong path look like it', async () => {
    await fleet.repository.git('checkout', '--quiet', '--orphan', 'other');
    await fleet.repository.git('rm', '-r', '--quiet', '--force', '.');
    await fleet.repository.git('commit', '--quiet', '--allow-empty', '-m', 'another history');
    await fleet.repository.git('push', '--quiet', '--force', 'origin', 'other:main');
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal(['held ConfigMap/web', `held Namespace/${fleet.namespace}`]);
    expect(changeOf(report, 'web').reason).to.contain('Git knows none of the 2 generators');
    expect(await someone.get(configMapPath(fleet.namespace, 'web'))).to.not.equal(undefined);
  });

  it('is no such thing while one generator is still known', async () => {
    await fleet.repository.commit({ 'generators/web.yaml': null });
    expect(actionsOf(await fleet.sync())).to.deep.equal(['delete ConfigMap/web']);
  });
});
