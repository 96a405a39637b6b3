import { expect } from 'chai';

import { parentName } from '../../../src/apply/apply-set-parent.ts';
import { containsGroupKindsAnnotation } from '../../../src/model/apply-set.ts';
import { stringAt } from '../../../src/model/json.ts';
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

const needed = ['default', 'fleetwright-system', 'kube-node-lease'];

describe('what the cluster and Fleetwright itself need', () => {
  let fleet: TestFleet;
  let someone: Outsider;

  beforeEach(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      sync: { pruneLimit: { count: 100, percent: 100, minimum: 100 } },
      files: (namespace) => ({
        'generators/base.yaml': generatorFile('base'),
        'apps/base/namespace.yaml': namespaceFile(namespace),
      }),
    });
  });

  afterEach(async () => {
    await fleet.close();
    await someone.close();
  });

  it('is never overwritten: the parent of the ApplySet cannot be in Git', async () => {
    const parent = parentName(fleet.settings.name);
    await fleet.repository.commit({ 'apps/base/parent.yaml': configMap('fleetwright-system', parent) });
    for (let pass = 0; pass < 2; pass += 1) {
      const change = changeOf(await fleet.sync(), parent);
      expect(change.action === 'failed' && change.error.code).to.equal('ManifestInvalid');
      const live = await someone.get(configMapPath('fleetwright-system', parent));
      expect(stringAt(live, 'metadata', 'annotations', containsGroupKindsAnnotation)).to.contain('Namespace');
    }
  });

  it('is never pruned: its namespaces stay when Git no longer has them', async () => {
    const files = (content: (name: string) => string | null): Record<string, string | null> =>
      Object.fromEntries(needed.map((name) => [`apps/base/${name}.yaml`, content(name)]));
    await fleet.repository.commit(files(namespaceFile));
    await fleet.sync();
    await fleet.repository.commit(files(() => null));
    expect(actionsOf(await fleet.sync())).to.deep.equal(needed.map((name) => `skipped Namespace/${name}`));
    const lease = await someone.get('/api/v1/namespaces/kube-node-lease');
    expect(stringAt(lease, 'metadata', 'deletionTimestamp')).to.equal(undefined);
  });
});
