import { expect } from 'chai';

import { arrayAt, stringAt, valueAt } from '../../../src/model/json.ts';
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
  onlyCluster,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const names = ['tokyo', 'osaka'] as const;
const labels = {
  tokyo: { env: 'production', region: 'east' },
  osaka: { env: 'staging', region: 'west' },
};

const overridden = generatorFile('web', {
  overrides: [
    {
      clusterSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['west'] }] },
      patches: [{ target: { kind: 'ConfigMap', name: 'web' }, merge: { data: { size: 'small' } } }],
    },
  ],
});

describe('which cluster gets what', () => {
  let fleet: TestFleet;
  let someone: Record<(typeof names)[number], Outsider>;

  const dataOf = async (cluster: (typeof names)[number], name: string): Promise<unknown> =>
    valueAt(await someone[cluster].get(configMapPath(fleet.namespace, name)), 'data');

  before(async () => {
    const controlPlanes = await Promise.all([sharedControlPlane(0), sharedControlPlane(1)]);
    someone = { tokyo: await outsider(controlPlanes[0]), osaka: await outsider(controlPlanes[1]) };
    fleet = await startTestFleet({
      clusters: names.map((name, index) => ({
        name,
        controlPlane: controlPlanes[index]!,
        labels: labels[name],
      })),
      labelGraceMs: 2_000,
      files: (namespace) => ({
        'generators/web.yaml': overridden,
        'generators/audit.yaml': generatorFile('audit', {
          clusterSelector: { matchLabels: { env: 'production' } },
        }),
        'apps/web/all.yaml': documents(
          namespaceFile(namespace),
          configMap(namespace, 'web', { data: { size: 'large' } }),
        ),
        'apps/audit/all.yaml': configMap(namespace, 'audit'),
        'clusters/osaka/own.yaml': configMap(namespace, 'only-osaka'),
      }),
    });
  });

  after(async () => {
    await fleet.close();
    await Promise.all(names.map((name) => someone[name].close()));
  });

  it('follows selectors, cluster directories and overrides', async () => {
    const report = await fleet.sync();
    expect(actionsOf(onlyCluster(report, 'tokyo'))).to.deep.equal([
      'create ConfigMap/audit',
      'create ConfigMap/web',
      `create Namespace/${fleet.namespace}`,
    ]);
    expect(actionsOf(onlyCluster(report, 'osaka'))).to.deep.equal([
      'create ConfigMap/only-osaka',
      'create ConfigMap/web',
      `create Namespace/${fleet.namespace}`,
    ]);
    expect(await dataOf('tokyo', 'web')).to.deep.equal({ size: 'large' });
    expect(await dataOf('osaka', 'web')).to.deep.equal({ size: 'small' });
    expect(await dataOf('osaka', 'audit')).to.equal(undefined);
    expect(await dataOf('tokyo', 'only-osaka')).to.equal(undefined);
  });

  it('writes nothing the second time', async () => {
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
  });

  it('adds at once after a label change, and shows the removals and their time first', async () => {
    fleet.relabel('tokyo', { ...labels.tokyo, env: 'staging' });
    fleet.relabel('osaka', { ...labels.osaka, env: 'production' });
    const before = Date.now();
    const report = await fleet.sync();
    expect(actionsOf(onlyCluster(report, 'osaka'))).to.deep.equal(['create ConfigMap/audit']);
    const [pending, ...others] = onlyCluster(report, 'tokyo').clusters[0]!.changes.filter(
      ({ action }) => action !== 'unchanged',
    );
    expect(others).to.deep.equal([]);
    expect(pending).to.include({ action: 'pending' });
    expect(pending?.ref.name).to.equal('audit');
    const [time = ''] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(pending?.reason ?? '') ?? [];
    expect(Date.parse(time)).to.be.within(before + 2_000, Date.now() + 2_000);
    expect(await dataOf('tokyo', 'audit')).to.deep.equal({ from: 'git' });
  });

  it('keeps everything when the label is changed back in time', async () => {
    const uid = stringAt(await someone.tokyo.get(configMapPath(fleet.namespace, 'audit')), 'metadata', 'uid');
    fleet.relabel('tokyo', labels.tokyo);
    expect(actionsOf(onlyCluster(await fleet.sync(), 'tokyo'))).to.deep.equal([]);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(actionsOf(onlyCluster(await fleet.sync(), 'tokyo'))).to.deep.equal([]);
    expect(
      stringAt(await someone.tokyo.get(configMapPath(fleet.namespace, 'audit')), 'metadata', 'uid'),
    ).to.equal(uid);
  });

  it('counts the grace anew, across processes, and removes after it', async () => {
    fleet.relabel('tokyo', { region: 'east' });
    expect(actionsOf(onlyCluster(await fleet.sync(), 'tokyo'))).to.deep.equal(['pending ConfigMap/audit']);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(actionsOf(onlyCluster(await fleet.sync(), 'tokyo'))).to.deep.equal(['delete ConfigMap/audit']);
    expect(await dataOf('tokyo', 'audit')).to.equal(undefined);
    expect(await dataOf('osaka', 'audit')).to.deep.equal({ from: 'git' });
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
  });

  it('lets the labels in Git win over those of the registry, and says so', async () => {
    await fleet.repository.commit({
      'clusters/osaka/cluster.yaml': JSON.stringify({
        apiVersion: 'fleetwright.dev/v1alpha1',
        kind: 'Cluster',
        metadata: { name: 'osaka', labels: { region: 'east' } },
      }),
    });
    const report = onlyCluster(await fleet.sync(), 'osaka');
    expect(actionsOf(report)).to.deep.equal(['configure ConfigMap/web']);
    expect(report.clusters[0]!.warnings).to.have.length(1);
    expect(await dataOf('osaka', 'web')).to.deep.equal({ size: 'large' });
  });

  it('leaves no trace of the other cluster’s kinds in a parent', async () => {
    const path = `/api/v1/namespaces/fleetwright-system/configmaps/fleet-${fleet.namespace}`;
    const parent = await someone.tokyo.get(path);
    expect(
      stringAt(parent, 'metadata', 'annotations', 'applyset.kubernetes.io/contains-group-kinds'),
    ).to.equal('ConfigMap,Namespace');
    expect(arrayAt(parent, 'metadata', 'ownerReferences')).to.deep.equal([]);
  });
});
