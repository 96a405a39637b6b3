import { expect } from 'chai';

import { stringAt } from '../../../src/model/json.ts';
import type { ChangeReport } from '../../../src/model/report.ts';
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
  type TestFleet,
} from '../../harness/fleet.ts';

const names = ['tokyo', 'osaka'] as const;
const production = { env: 'production' };
const onlyProduction = { clusterSelector: { matchLabels: production } };

describe('a cluster that stops matching a generator', () => {
  let someone: Record<(typeof names)[number], Outsider>;
  let fleet: TestFleet;

  const uidOf = async (cluster: (typeof names)[number], name: string): Promise<string | undefined> =>
    stringAt(await someone[cluster].get(configMapPath(fleet.namespace, name)), 'metadata', 'uid');
  const has = async (cluster: (typeof names)[number]): Promise<string[]> => {
    const found: string[] = [];
    for (const name of ['picked', 'everywhere', 'own'])
      if ((await uidOf(cluster, name)) !== undefined) found.push(name);
    return found;
  };

  before(async () => {
    const planes = await Promise.all([sharedControlPlane(0), sharedControlPlane(1)]);
    someone = { tokyo: await outsider(planes[0]), osaka: await outsider(planes[1]) };
  });

  beforeEach(async () => {
    const planes = await Promise.all([sharedControlPlane(0), sharedControlPlane(1)]);
    fleet = await startTestFleet({
      clusters: names.map((name, index) => ({ name, controlPlane: planes[index]!, labels: production })),
      registry: true,
      files: (namespace) => ({
        'generators/picked.yaml': generatorFile('picked', onlyProduction),
        'generators/everywhere.yaml': generatorFile('everywhere'),
        'apps/picked/all.yaml': configMap(namespace, 'picked'),
        'apps/everywhere/all.yaml': documents(namespaceFile(namespace), configMap(namespace, 'everywhere')),
        'clusters/tokyo/own.yaml': configMap(namespace, 'own'),
      }),
    });
    await fleet.sync();
  });

  afterEach(() => fleet.close());
  after(() => Promise.all(names.map((name) => someone[name].close())));

  const inTokyo = (report: ChangeReport): string[] => actionsOf(onlyCluster(report, 'tokyo'));
  const inOsaka = (report: ChangeReport): string[] => actionsOf(onlyCluster(report, 'osaka'));

  it('loses what that generator gave, and nothing else; other clusters lose nothing', async () => {
    const kept = await uidOf('osaka', 'picked');
    fleet.relabel('tokyo', {});
    const report = await fleet.sync();
    expect([inTokyo(report), inOsaka(report)]).to.deep.equal([['delete ConfigMap/picked'], []]);
    expect(await has('tokyo')).to.deep.equal(['everywhere', 'own']);
    expect(await has('osaka')).to.deep.equal(['picked', 'everywhere']);
    expect(await uidOf('osaka', 'picked')).to.equal(kept);
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
  });

  it('loses it in the running engine, too, and gets it again when it matches again', async () => {
    const engine = fleet.start();
    await engine.settled();
    fleet.relabel('tokyo', { env: 'staging' });
    await eventually(
      async () => ((await uidOf('tokyo', 'picked')) === undefined ? true : undefined),
      'it is gone',
    );
    expect(await has('osaka')).to.deep.equal(['picked', 'everywhere']);
    fleet.relabel('tokyo', production);
    await eventually(() => uidOf('tokyo', 'picked'), 'it is back');
    expect(await has('tokyo')).to.deep.equal(['picked', 'everywhere', 'own']);
  });

  it('loses it when the label is changed in Git or the selector is', async () => {
    const document = { apiVersion: 'fleetwright.dev/v1alpha1', kind: 'Cluster' };
    const labels = { env: 'staging' };
    await fleet.repository.commit({
      'clusters/tokyo/cluster.yaml': JSON.stringify({ ...document, metadata: { name: 'tokyo', labels } }),
    });
    expect(inTokyo(await fleet.sync())).to.deep.equal(['delete ConfigMap/picked']);
    await fleet.repository.commit({
      'generators/picked.yaml': generatorFile('picked', { clusterSelector: { matchLabels: labels } }),
    });
    const report = await fleet.sync();
    expect([inTokyo(report), inOsaka(report)]).to.deep.equal([
      ['create ConfigMap/picked'],
      ['delete ConfigMap/picked'],
    ]);
  });

  it('is never one for an empty selector, and a missing one prunes nothing', async () => {
    await fleet.repository.commit({ 'generators/picked.yaml': generatorFile('picked') });
    for (const name of names) fleet.relabel(name, {});
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    const file = generatorFile('picked').replace('"clusterSelector":{},', '');
    await fleet.repository.commit({ 'generators/picked.yaml': file });
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal(['skipped ConfigMap/picked', 'skipped ConfigMap/picked']);
    const faults = [...report.errors, ...report.clusters.flatMap(({ errors }) => errors)];
    expect(faults.map(({ code }) => code)).to.include('ConfigInvalid');
    expect(await has('tokyo')).to.deep.equal(['picked', 'everywhere', 'own']);
    expect(await has('osaka')).to.deep.equal(['picked', 'everywhere']);
  });
});
