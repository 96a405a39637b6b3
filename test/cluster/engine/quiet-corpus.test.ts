import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { partOfLabel } from '../../../src/model/apply-set.ts';
import { arrayAt, type JsonObject, valueAt } from '../../../src/model/json.ts';
import { auditFromNow, writesBy } from '../../harness/audit.ts';
import { startOwnControlPlane, type TestControlPlane } from '../../harness/control-plane.ts';
import { clusterOfUser, generatorFile } from '../../harness/fleet-files.ts';
import {
  actionsOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';
import { type OwnedVersion, ownedVersions } from '../../harness/owned-versions.ts';

const corpusDir = join(import.meta.dirname, 'corpus');
/** At the least: the kinds that people deploy, most of them more than once. */
const fewest = 50;
const user = 'quiet-engine';
const rbac = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const webhook = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/carts';
const caBundle = Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64');

describe('manifests of every kind that people deploy', function () {
  this.timeout(300_000);
  let started: TestControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;
  let count = 0;

  /** Without what controllers do to the status: who owns what, and which object it is. */
  const marks = async (): Promise<Record<string, Omit<OwnedVersion, 'resourceVersion'>>> =>
    Object.fromEntries(
      [...(await ownedVersions(someone))].map(([name, { uid, ours }]) => [name, { uid, ours }]),
    );
  const rulesOf = async (name: string): Promise<number> =>
    arrayAt(await someone.get(`${rbac}/${name}`), 'rules').length;

  before(async () => {
    started = await startOwnControlPlane('quiet-corpus');
    const { controlPlane } = started;
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user })],
      files: () => ({
        'generators/web.yaml': generatorFile('web'),
        ...Object.fromEntries(
          readdirSync(corpusDir).map((file) => [
            `apps/web/${file}`,
            readFileSync(join(corpusDir, file), 'utf8'),
          ]),
        ),
      }),
    });
  });

  after(async () => {
    await fleet.close();
    await someone.close();
    await started.stop();
  });

  it('are all taken by the first sync', async () => {
    const { changes } = (await fleet.sync()).clusters[0]!;
    count = changes.length;
    expect(count).to.be.at.least(fewest);
    expect(changes.filter(({ action }) => action !== 'create')).to.deep.equal([]);
  });

  it('are not written by five more syncs, two of them without any memory, while controllers do their part', async () => {
    // What the controllers of a real cluster fill in.
    await someone.patch(
      '/apis/apps/v1/namespaces/shop/deployments/scaled/scale',
      { spec: { replicas: 4 } },
      'kube-controller-manager',
    );
    await someone.client.request({
      method: 'PATCH',
      path: webhook,
      query: { fieldManager: 'cert-manager-cainjector' },
      body: [{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: caBundle }],
      contentType: 'application/json-patch+json',
      signal: AbortSignal.timeout(30_000),
    });
    await eventually(
      async () =>
        (await rulesOf('shop-all')) + (await rulesOf('shop-all-with-rules')) === 4 ? true : undefined,
      'roles are aggregated',
    );
    const before = await marks();
    const audit = await auditFromNow(started.controlPlane);
    for (const isForgotten of [false, false, true, false, true]) {
      // An apply that changes nothing may still move a time, which has a resolution of a second.
      await sleep(1_100);
      if (isForgotten) await fleet.forget();
      const { changes, errors } = (await fleet.sync()).clusters[0]!;
      expect(errors).to.deep.equal([]);
      expect(changes.filter(({ action }) => action !== 'unchanged')).to.deep.equal([]);
      expect(changes).to.have.length(count);
    }
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
    expect(await marks()).to.deep.equal(before);
    expect(await rulesOf('shop-all-with-rules')).to.equal(2);
  });

  it('show no difference in a plan, and no drift', async () => {
    expect(actionsOf((await fleet.once('plan')).changes)).to.deep.equal([]);
    const { drift } = await fleet.once('drift');
    expect(drift.clusters.flatMap(({ objects }) => objects)).to.deep.equal([]);
    await fleet.forget();
    expect(actionsOf((await fleet.once('plan')).changes)).to.deep.equal([]);
  });

  it('rest as they are under the running engine', async () => {
    const before = await marks();
    const audit = await auditFromNow(started.controlPlane);
    const engine = fleet.start();
    await engine.settled();
    await sleep(3_000);
    await engine.settled();
    expect(engine.drift().clusters.flatMap(({ objects }) => objects)).to.deep.equal([]);
    await engine.stop();
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
    expect(await marks()).to.deep.equal(before);
  });

  it('keep what the controllers filled in when something else is committed', async () => {
    const parts = readFileSync(join(corpusDir, 'network.yaml'), 'utf8');
    await fleet.repository.commit({
      'apps/web/network.yaml': parts.replace('prometheus.io/scrape: "true"', 'a: b'),
    });
    const ip = async (): Promise<unknown> =>
      valueAt(await someone.get('/api/v1/namespaces/shop/services/web'), 'spec', 'clusterIP');
    const before = await ip();
    expect(actionsOf(await fleet.sync())).to.deep.equal(['configure Service/web']);
    expect(await ip()).to.equal(before);
    const [first] = arrayAt(await someone.get(webhook), 'webhooks') as JsonObject[];
    expect(valueAt(first, 'clientConfig', 'caBundle')).to.equal(caBundle);
    expect(
      valueAt(await someone.get('/apis/apps/v1/namespaces/shop/deployments/scaled'), 'spec', 'replicas'),
    ).to.be.oneOf([3, 4]);
    expect(valueAt(await someone.get(`${rbac}/shop-all`), 'metadata', 'labels', partOfLabel)).to.be.a(
      'string',
    );
  });
});
