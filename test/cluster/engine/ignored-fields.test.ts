import { expect } from 'chai';

import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { arrayAt, type JsonObject, stringAt, valueAt } from '../../../src/model/json.ts';
import { managedFieldsOf, ownEntry } from '../../../src/model/managed-fields.ts';
import { auditFromNow, writesBy } from '../../harness/audit.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { clusterOfUser, configMap, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  actionsOf,
  changeOf,
  countOf,
  driftOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const ignoreFields = 'fleetwright.dev/ignore-fields';

describe('fields that a manifest leaves to others', function () {
  this.timeout(120_000);
  const user = uniqueNamespace('leaver');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;

  const path = (): string => `/apis/apps/v1/namespaces/${fleet.namespace}/deployments/web`;
  const live = async (): Promise<JsonObject> => (await someone.get(path()))!;
  const replicas = async (): Promise<unknown> => valueAt(await live(), 'spec', 'replicas');
  const image = async (): Promise<string | undefined> =>
    stringAt(arrayAt(await live(), 'spec', 'template', 'spec', 'containers')[0], 'image');
  const scale = async (count: number): Promise<void> => {
    await someone.patch(`${path()}/scale`, { spec: { replicas: count } }, 'kube-controller-manager');
  };
  const commit = (spec: JsonObject, annotations: JsonObject): Promise<unknown> =>
    fleet.repository.commit({
      'apps/web/web.yaml': JSON.stringify({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: fleet.namespace, annotations },
        spec: {
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: {
              containers: [{ name: 'web', image: 'example.com/web:1', env: [{ name: 'A', value: '1' }] }],
            },
          },
          ...spec,
        },
      }),
    });
  const bothLeft = { [ignoreFields]: '.spec.replicas,\n.spec.template.spec.containers[name=web].image' };

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user })],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
      }),
    });
    await commit({ replicas: 3 }, bothLeft);
    await fleet.sync();
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('are sent when the object is created, and nobody owns them then', async () => {
    expect(await replicas()).to.equal(3);
    expect(await image()).to.equal('example.com/web:1');
    const own = ownEntry(managedFieldsOf(await live()))?.fields;
    expect(valueAt(own, 'f:spec', 'f:replicas')).to.equal(undefined);
    expect(JSON.stringify(own)).not.to.contain('f:image');
    expect(JSON.stringify(own)).to.contain('f:env');
  });

  it('are not written again, whatever others make of them', async () => {
    const audit = await auditFromNow(controlPlane);
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
    await scale(7);
    const containers = [{ name: 'web', image: 'example.com/web:2' }];
    await someone.client.request({
      method: 'PATCH',
      path: path(),
      query: { fieldManager: 'kubectl-set' },
      body: { spec: { template: { spec: { containers } } } },
      contentType: 'application/strategic-merge-patch+json',
      signal: AbortSignal.timeout(30_000),
    });
    const { changes, drift } = await fleet.once('drift');
    expect(actionsOf(changes)).to.deep.equal([]);
    expect(driftOf(drift, 'web')).to.equal(undefined);
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
    await fleet.forget();
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
    expect([await replicas(), await image()]).to.deep.equal([7, 'example.com/web:2']);
  });

  it('keep their values when something else is committed, and when Git stops to set them', async () => {
    await commit({ replicas: 4, minReadySeconds: 1 }, bothLeft);
    expect(changeOf(await fleet.sync(), 'web').fields.map((field) => field.path)).to.deep.equal([
      '.spec.minReadySeconds',
    ]);
    expect([await replicas(), await image()]).to.deep.equal([7, 'example.com/web:2']);
    await commit({ minReadySeconds: 2 }, { [ignoreFields]: '.spec.replicas' });
    await fleet.sync();
    expect([await replicas(), await image()]).to.deep.equal([7, 'example.com/web:1']);
  });

  it('are handed over in one commit from an object that had them, and taken back in another', async () => {
    await commit({ replicas: 3 }, {});
    await fleet.sync();
    expect(await replicas()).to.equal(3);
    await commit({}, { [ignoreFields]: '.spec.replicas' });
    const plan = changeOf((await fleet.once('plan')).changes, 'web');
    expect(plan).to.include({ action: 'configure' });
    expect(plan.fields.map((field) => field.path)).not.to.include('.spec.replicas');
    await fleet.sync();
    expect(await replicas()).to.equal(3);
    await scale(5);
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
    expect(await replicas()).to.equal(5);
    await commit({ replicas: 2 }, {});
    await fleet.sync();
    expect(await replicas()).to.equal(2);
  });

  it('are handed over by the next sync where the first was cut off between its two writes', async () => {
    await commit({ replicas: 3 }, bothLeft);
    await fleet.sync();
    // As the first of the two writes leaves it: all is there, and all of it is ours.
    const before = await live();
    const fields = structuredClone(ownEntry(managedFieldsOf(before))!.fields);
    (fields['f:spec'] as JsonObject)['f:replicas'] = {};
    const managedFields = arrayAt(before, 'metadata', 'managedFields').map((entry) =>
      valueAt(entry, 'manager') === 'fleetwright' ? { ...(entry as JsonObject), fieldsV1: fields } : entry,
    );
    await someone.patch(path(), { metadata: { managedFields } });
    await fleet.forget();
    expect(changeOf(await fleet.sync(), 'web')).to.deep.include({
      action: 'configure',
      reason: 'fields that Git leaves to others were still ours',
    });
    expect(await replicas()).to.equal(2);
    expect(valueAt(ownEntry(managedFieldsOf(await live()))?.fields, 'f:spec', 'f:replicas')).to.equal(
      undefined,
    );
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
  });

  it('are left to the autoscaler by the running engine', async () => {
    const engine = fleet.start();
    await engine.settled();
    const audit = await auditFromNow(controlPlane);
    for (const count of [4, 6, 5]) await scale(count);
    // Made after the scaling: once this is corrected, that was seen, too.
    await someone.patch(`/api/v1/namespaces/${fleet.namespace}`, {
      metadata: { annotations: { 'fleetwright.dev/generator': 'none' } },
    });
    await eventually(
      async () =>
        stringAt(
          await someone.get(`/api/v1/namespaces/${fleet.namespace}`),
          'metadata',
          'annotations',
          'fleetwright.dev/generator',
        ) === 'web'
          ? true
          : undefined,
      'the edit of the namespace is corrected',
    );
    await engine.settled();
    const writes = writesBy(await audit.events(), user).filter(({ resource }) => resource === 'deployments');
    expect(writes).to.deep.equal([]);
    expect(await replicas()).to.equal(5);
    await engine.stop();
  });

  it('fail where they are a part of what the server only takes whole', async () => {
    const shopPath = {
      path: '/',
      pathType: 'Prefix',
      backend: { service: { name: 'web', port: { number: 80 } } },
    };
    await fleet.repository.commit({
      'apps/web/ingress.yaml': JSON.stringify({
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: {
          name: 'web',
          namespace: fleet.namespace,
          annotations: { [ignoreFields]: '.spec.rules[host=a.example.com].http' },
        },
        spec: { rules: [{ host: 'a.example.com', http: { paths: [shopPath] } }] },
      }),
      'apps/web/other.yaml': configMap(fleet.namespace, 'other'),
    });
    const failed = async (): Promise<string> => {
      const changes = (await fleet.sync()).clusters.flatMap((cluster) => cluster.changes);
      const change = changes.find(({ ref }) => ref.kind === 'Ingress');
      return change?.action === 'failed' ? `${change.error.code}: ${change.error.message}` : '';
    };
    const message =
      'ManifestInvalid: fleetwright.dev/ignore-fields names a part of .spec.rules, which the server takes only as a whole; name .spec.rules';
    expect(await failed()).to.equal(message);
    expect(await failed()).to.equal(message);
    expect(await someone.get(`/api/v1/namespaces/${fleet.namespace}/configmaps/other`)).not.to.equal(
      undefined,
    );
  });
});
