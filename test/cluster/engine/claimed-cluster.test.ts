import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import type { FleetSettings } from '../../../src/model/settings.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import type { ChangeReport } from '../../../src/model/report.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, configMapPath, namespaceFile } from '../../harness/fleet-files.ts';
import {
  actionsOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
  writeRegistration,
} from '../../harness/fleet.ts';

describe('an API server under two names', () => {
  let controlPlane: ControlPlane;
  let someone: Outsider;
  let fleet: TestFleet;

  const mapsOf = (namespace: string, cluster: string): Record<string, string> => ({
    [`clusters/${cluster}/map.yaml`]: configMap(namespace, `of-${cluster}`),
  });
  const errorsOf = (report: ChangeReport): string[] =>
    report.clusters.flatMap(({ name, errors }) => errors.map(({ code }) => `${name} ${code}`));
  const exists = async (name: string): Promise<boolean> =>
    (await someone.get(configMapPath(fleet.namespace, name))) !== undefined;
  const rename = (from: string, to: string): void => {
    rmSync(join(fleet.registryDir, `${from}.yaml`));
    const connection: FleetSettings['inlineClusters'][number]['connection'] = {
      kind: 'kubeconfig',
      path: controlPlane.kubeconfigPath,
    };
    writeRegistration(fleet.registryDir, { name: to, labels: {}, annotations: {}, connection });
  };

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
  });

  afterEach(() => fleet.close());
  after(() => someone.close());

  it('is synced under the first one alone, so that neither prunes what the other wants', async () => {
    fleet = await startTestFleet({
      clusters: [
        { name: 'osaka', controlPlane },
        { name: 'tokyo', controlPlane },
      ],
      files: (namespace) => ({
        'clusters/osaka/namespace.yaml': namespaceFile(namespace),
        ...mapsOf(namespace, 'osaka'),
        'clusters/tokyo/namespace.yaml': namespaceFile(namespace),
        ...mapsOf(namespace, 'tokyo'),
      }),
    });
    const [loser] = errorsOf(await fleet.sync());
    expect(loser).to.match(/^(osaka|tokyo) OwnershipConflict$/);
    const again = await fleet.sync();
    expect(errorsOf(again)).to.deep.equal([loser]);
    expect(actionsOf(again)).to.deep.equal([]);
    expect([await exists('of-osaka'), await exists('of-tokyo')]).to.have.members([true, false]);
  });

  it('is left alone after a rename until that is approved; what the old folder brought is held even then', async () => {
    fleet = await startTestFleet({
      registry: true,
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({
        'clusters/tokyo/namespace.yaml': namespaceFile(namespace),
        ...mapsOf(namespace, 'tokyo'),
      }),
    });
    await fleet.sync();
    rename('tokyo', 'kyoto');
    await fleet.repository.commit(mapsOf(fleet.namespace, 'kyoto'));
    const refused = await fleet.sync();
    expect(errorsOf(refused)).to.deep.equal(['kyoto OwnershipConflict']);
    expect(errorsOf((await fleet.once('plan')).changes)).to.deep.equal(['kyoto OwnershipConflict']);
    expect(await exists('of-kyoto')).to.equal(false);
    const approve = /fleetwright approve ([0-9a-f]{12})/.exec(refused.clusters[0]?.errors[0]?.message ?? '');
    fleet.approve(approve?.[1] ?? '');
    expect(actionsOf(await fleet.sync())).to.deep.equal([
      'create ConfigMap/of-kyoto',
      'held ConfigMap/of-tokyo',
      `held Namespace/${fleet.namespace}`,
    ]);
    expect(await exists('of-tokyo')).to.equal(true);
    rename('kyoto', 'tokyo');
    expect(errorsOf(await fleet.sync()), 'the way back is another change').to.deep.equal([
      'tokyo OwnershipConflict',
    ]);
  });

  it('is taken up by a running engine as soon as the rename is approved', async () => {
    fleet = await startTestFleet({
      registry: true,
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({
        'clusters/tokyo/namespace.yaml': namespaceFile(namespace),
        ...mapsOf(namespace, 'kyoto'),
      }),
    });
    await fleet.sync();
    rename('tokyo', 'kyoto');
    const engine = fleet.start();
    const hold = await eventually(
      () =>
        /fleetwright approve ([0-9a-f]{12})/.exec(engine.report().clusters[0]?.errors[0]?.message ?? '')?.[1],
      'the rename is reported',
    );
    fleet.approve(hold);
    await eventually(async () => ((await exists('of-kyoto')) ? true : undefined), 'the cluster is synced');
  });
});
