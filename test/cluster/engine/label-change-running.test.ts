import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { stringAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import {
  configMap,
  configMapPath,
  documents,
  generatorFile,
  namespaceFile,
} from '../../harness/fleet-files.ts';
import {
  actionsOf,
  eventually,
  onlyCluster,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';

const names = ['tokyo', 'osaka'] as const;

describe('a label changed in the registry, with the engine running', () => {
  let fleet: TestFleet;
  let engine: TestEngine;
  let someone: Record<(typeof names)[number], Outsider>;

  const uidOf = async (cluster: (typeof names)[number], name: string): Promise<string | undefined> =>
    stringAt(await someone[cluster].get(configMapPath(fleet.namespace, name)), 'metadata', 'uid');
  const actionsIn = (cluster: (typeof names)[number]): string[] =>
    actionsOf(onlyCluster(engine.report(), cluster));

  before(async () => {
    const controlPlanes = await Promise.all([sharedControlPlane(0), sharedControlPlane(1)]);
    someone = { tokyo: await outsider(controlPlanes[0]), osaka: await outsider(controlPlanes[1]) };
    fleet = await startTestFleet({
      registry: true,
      clusters: names.map((name, index) => ({
        name,
        controlPlane: controlPlanes[index]!,
        labels: { env: name === 'tokyo' ? 'production' : 'staging' },
      })),
      labelGraceMs: 2_000,
      files: (namespace) => ({
        'generators/base.yaml': generatorFile('base'),
        'generators/audit.yaml': generatorFile('audit', {
          clusterSelector: { matchLabels: { env: 'production' } },
        }),
        'apps/base/all.yaml': documents(namespaceFile(namespace), configMap(namespace, 'base')),
        'apps/audit/all.yaml': configMap(namespace, 'audit'),
      }),
    });
    engine = fleet.start();
    await engine.settled();
  });

  after(async () => {
    await fleet.close();
    await Promise.all(names.map((name) => someone[name].close()));
  });

  it('adds at once where the label is given', async () => {
    expect(await uidOf('osaka', 'audit')).to.equal(undefined);
    fleet.relabel('osaka', { env: 'production' });
    await eventually(() => uidOf('osaka', 'audit'), 'audit in osaka');
  });

  it('shows the removal, and takes it back with the label', async () => {
    const uid = await uidOf('osaka', 'audit');
    fleet.relabel('osaka', { env: 'staging' });
    await eventually(
      () => actionsIn('osaka').includes('pending ConfigMap/audit') || undefined,
      'the removal is pending',
    );
    fleet.relabel('osaka', { env: 'production' });
    await eventually(() => actionsIn('osaka').length === 0 || undefined, 'nothing is pending');
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    expect(await uidOf('osaka', 'audit')).to.equal(uid);
  });

  it('removes by itself when the grace is over, in that cluster alone', async () => {
    fleet.relabel('osaka', { env: 'staging' });
    await eventually(
      () => actionsIn('osaka').includes('pending ConfigMap/audit') || undefined,
      'the removal is pending',
    );
    expect(await uidOf('osaka', 'audit')).to.be.a('string');
    await eventually(
      async () => ((await uidOf('osaka', 'audit')) === undefined ? true : undefined),
      'audit is gone',
    );
    expect(await uidOf('tokyo', 'audit')).to.be.a('string');
    expect(await uidOf('osaka', 'base')).to.be.a('string');
  });

  it('forgets and removes nothing when a registry file breaks', async () => {
    const before = await Promise.all([uidOf('tokyo', 'audit'), uidOf('tokyo', 'base')]);
    writeFileSync(join(fleet.registryDir, 'tokyo.yaml'), '{"kind": "Cluster", "metadata": {');
    await eventually(
      () => (engine.report().errors.length > 0 ? true : undefined),
      'the fault in the registry is reported',
    );
    expect(engine.report().clusters.map(({ name }) => name)).to.include('tokyo');
    await someone.tokyo.delete(configMapPath(fleet.namespace, 'base'));
    await eventually(() => uidOf('tokyo', 'base'), 'base is back in tokyo');
    expect(await uidOf('tokyo', 'audit')).to.equal(before[0]);
    fleet.relabel('tokyo', { env: 'production' });
    await eventually(() => (engine.report().errors.length === 0 ? true : undefined), 'the fault is gone');
    expect(await uidOf('tokyo', 'audit')).to.equal(before[0]);
  });

  it('leaves the objects of a cluster that is taken out of the registry', async () => {
    const before = await uidOf('osaka', 'base');
    rmSync(join(fleet.registryDir, 'osaka.yaml'));
    await eventually(
      () => (engine.report().clusters.some(({ name }) => name === 'osaka') ? undefined : true),
      'osaka is forgotten',
    );
    expect(await uidOf('osaka', 'base')).to.equal(before);
  });
});
