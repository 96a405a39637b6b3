import { expect } from 'chai';

import { sharedControlPlane } from '../../harness/control-plane.ts';
import { actionsOf, type Outsider, outsider, startTestFleet, type TestFleet } from '../../harness/fleet.ts';

const generator = `
apiVersion: fleetwright.dev/v1alpha1
kind: Generator
metadata: {name: web}
spec:
  clusterSelector: {matchLabels: {env: production}}
  source: {path: apps/web}
`;

const manifests = (namespace: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: ${namespace}}
data: {color: blue}
---
apiVersion: v1
kind: Namespace
metadata: {name: ${namespace}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${namespace}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1, resources: {requests: {cpu: 0.5}}}]}
`;

describe('the first sync', () => {
  let fleet: TestFleet;
  let someone: Outsider;

  before(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane, labels: { env: 'production' } }],
      files: (namespace) => ({ 'generators/web.yaml': generator, 'apps/web/all.yaml': manifests(namespace) }),
    });
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('plans without writing anything', async () => {
    const { changes } = await fleet.once('plan');
    expect(actionsOf(changes)).to.deep.equal([
      'create ConfigMap/settings',
      'create Deployment/web',
      `create Namespace/${fleet.namespace}`,
    ]);
    expect(await someone.get(`/api/v1/namespaces/${fleet.namespace}`)).to.equal(undefined);
  });

  it('creates everything in order', async () => {
    const report = await fleet.sync();
    expect(report.errors).to.deep.equal([]);
    expect(report.clusters.map(({ state, errors }) => ({ state, errors }))).to.deep.equal([
      { state: 'reachable', errors: [] },
    ]);
    expect(actionsOf(report)).to.deep.equal([
      'create ConfigMap/settings',
      'create Deployment/web',
      `create Namespace/${fleet.namespace}`,
    ]);
  });

  it('writes nothing the second time', async () => {
    const path = `/apis/apps/v1/namespaces/${fleet.namespace}/deployments/web`;
    const version = (await someone.get(`/api/v1/namespaces/${fleet.namespace}/configmaps/settings`))?.[
      'metadata'
    ];
    const generation = (await someone.get(path))?.['metadata'];
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal([]);
    expect(
      (await someone.get(`/api/v1/namespaces/${fleet.namespace}/configmaps/settings`))?.['metadata'],
    ).to.deep.equal(version);
    expect((await someone.get(path))?.['metadata']).to.have.property(
      'generation',
      (generation as { generation: number }).generation,
    );
  });
});
