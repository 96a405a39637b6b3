import { expect } from 'chai';

import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { partOfLabel } from '../../../src/model/apply-set.ts';
import type { Drift } from '../../../src/model/change.ts';
import type { FieldDifference } from '../../../src/model/field.ts';
import { arrayAt, type JsonObject, stringAt, valueAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import {
  driftOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';

const generator = `
apiVersion: fleetwright.dev/v1alpha1
kind: Generator
metadata: {name: web}
spec:
  clusterSelector: {}
  source: {path: apps/web}
`;

const configMaps = ['edited', 'emptied', 'deleted', 'relabelled', 'twice', 'cleared', 'impostor'];

const manifests = (namespace: string): string => `
apiVersion: v1
kind: Namespace
metadata: {name: ${namespace}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: scaled, namespace: ${namespace}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
${configMaps
  .map(
    (name) => `---
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: ${namespace}}
data: {color: blue, size: large}
`,
  )
  .join('')}`;

describe('drift made by hand, with the engine running', () => {
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let engine: TestEngine;
  let someone: Outsider;

  const configMap = (name: string): string => `/api/v1/namespaces/${fleet.namespace}/configmaps/${name}`;
  const deployment = (): string => `/apis/apps/v1/namespaces/${fleet.namespace}/deployments/scaled`;
  const colorOf = async (name: string): Promise<string | undefined> =>
    stringAt(await someone.get(configMap(name)), 'data', 'color');
  const corrected = (name: string): Promise<Drift> =>
    eventually(() => {
      const drift = driftOf(engine.drift(), name);
      return drift?.action === 'corrected' ? drift : undefined;
    }, `${name} is listed as corrected`);

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({ 'generators/web.yaml': generator, 'apps/web/all.yaml': manifests(namespace) }),
    });
    engine = fleet.start();
    await engine.settled();
    expect(engine.drift().clusters.flatMap(({ objects }) => objects)).to.deep.equal([]);
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('takes back a changed value, and tells who changed it and the line in Git', async () => {
    await someone.patch(configMap('edited'), { data: { color: 'red' } });
    await eventually(async () => ((await colorOf('edited')) === 'blue' ? true : undefined), 'blue again');
    const drift = await corrected('edited');
    expect(drift.kind).to.equal('changed');
    expect(drift.fields.map(withoutTime)).to.deep.equal([
      {
        path: '.data.color',
        desired: 'blue',
        live: 'red',
        changedBy: [{ manager: 'kubectl-edit', operation: 'Update' }],
      },
    ]);
    expect(drift.origin).to.deep.equal({
      generator: 'web',
      file: 'apps/web/all.yaml',
      document: 3,
      line: lineOf(manifests(fleet.namespace), 'name: edited') - 2,
    });
    expect(Date.parse(drift.correctedAt ?? '')).to.be.at.least(Date.parse(drift.detectedAt));
  });

  it('puts back a key that was removed', async () => {
    await someone.patch(configMap('emptied'), { data: { color: null } });
    await eventually(async () => ((await colorOf('emptied')) === 'blue' ? true : undefined), 'blue again');
    expect(
      (await corrected('emptied')).fields.map(({ path, desired, live }) => [path, desired, live]),
    ).to.deep.equal([['.data.color', 'blue', undefined]]);
  });

  it('creates anew what was deleted', async () => {
    const uid = stringAt(await someone.get(configMap('deleted')), 'metadata', 'uid');
    await someone.delete(configMap('deleted'));
    const created = await eventually(() => someone.get(configMap('deleted')), 'it is back');
    expect(stringAt(created, 'metadata', 'uid')).not.to.equal(uid);
    const { kind, fields } = await corrected('deleted');
    expect({ kind, fields }).to.deep.equal({ kind: 'missing', fields: [] });
  });

  it('takes back a scale', async () => {
    await someone.patch(`${deployment()}/scale`, { spec: { replicas: 5 } }, 'kubectl-scale');
    await eventually(
      async () => (valueAt(await someone.get(deployment()), 'spec', 'replicas') === 2 ? true : undefined),
      'two replicas again',
    );
    expect((await corrected('scaled')).fields.map(withoutTime)).to.deep.equal([
      {
        path: '.spec.replicas',
        desired: 2,
        live: 5,
        changedBy: [{ manager: 'kubectl-scale', operation: 'Update', subresource: 'scale' }],
      },
    ]);
  });

  it('puts its label back', async () => {
    const label = async (): Promise<string | undefined> =>
      stringAt(await someone.get(configMap('relabelled')), 'metadata', 'labels', partOfLabel);
    const before = await label();
    await someone.patch(
      configMap('relabelled'),
      { metadata: { labels: { [partOfLabel]: null } } },
      'kubectl-label',
    );
    await eventually(async () => ((await label()) === before ? true : undefined), 'the label is back');
    expect((await corrected('relabelled')).kind).to.equal('unlabelled');
  });

  it('takes back the ownership of a field that was edited and edited back', async () => {
    const drifts = (): number =>
      engine
        .drift()
        .clusters.flatMap(({ objects }) => objects)
        .filter(({ ref }) => ref.name === 'twice').length;
    await someone.patch(configMap('twice'), { data: { color: 'red' } });
    await someone.patch(configMap('twice'), { data: { color: 'blue' } });
    await eventually(() => (drifts() > 0 ? true : undefined), 'it is listed');
    await eventually(
      async () =>
        owners(await someone.get(configMap('twice')), 'color').includes('fleetwright') ? true : undefined,
      'the field is ours again',
    );
    expect(await colorOf('twice')).to.equal('blue');
  });

  it('takes back its fields where managedFields were cleared', async () => {
    await someone.patch(configMap('cleared'), { metadata: { managedFields: [{}] } });
    await eventually(
      async () =>
        owners(await someone.get(configMap('cleared')), 'color').includes('fleetwright') ? true : undefined,
      'the field is ours again',
    );
    const { kind, reason } = await corrected('cleared');
    expect(kind).to.equal('changed');
    expect(reason).to.equal('the values agree, but others had taken over fields of ours');
  });

  it('notices a forced apply in its own name', async () => {
    const live = await someone.get(configMap('impostor'));
    // The times of managedFields are whole seconds: within the second of our own apply nothing tells the two apart.
    const ours = Date.parse(stringAt(arrayAt(live, 'metadata', 'managedFields')[0], 'time') ?? '');
    await eventually(() => (Date.now() >= ours + 1_000 ? true : undefined), 'another second');
    const { labels, annotations } = valueAt(live, 'metadata') as {
      labels: JsonObject;
      annotations: JsonObject;
    };
    await someone.client.request({
      method: 'PATCH',
      path: configMap('impostor'),
      query: { fieldManager: 'fleetwright', force: 'true' },
      contentType: 'application/apply-patch+yaml',
      body: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'impostor', labels, annotations },
        data: { color: 'green', size: 'large' },
      },
      signal: AbortSignal.timeout(10_000),
    });
    await eventually(async () => ((await colorOf('impostor')) === 'blue' ? true : undefined), 'blue again');
    expect(
      (await corrected('impostor')).fields.map(({ path, desired, live: found }) => [path, desired, found]),
    ).to.deep.equal([['.data.color', 'blue', 'green']]);
  });

  it('has nothing left to do', async () => {
    await engine.settled();
    const { changes, drift } = await fleet.once('drift');
    expect(changes.clusters.flatMap((cluster) => cluster.changes).map(({ action }) => action)).to.deep.equal(
      Array(configMaps.length + 2).fill('unchanged'),
    );
    expect(drift.errors).to.deep.equal([]);
  });
});

/** The managers that own a key of a ConfigMap's data. */
function owners(live: unknown, key: string): string[] {
  return arrayAt(live, 'metadata', 'managedFields')
    .filter((entry) => valueAt(entry, 'fieldsV1', 'f:data', `f:${key}`) !== undefined)
    .map((entry) => stringAt(entry, 'manager') ?? '');
}

function withoutTime(field: FieldDifference): object {
  return { ...field, changedBy: field.changedBy.map(({ time: _time, ...manager }) => manager) };
}

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length;
}
