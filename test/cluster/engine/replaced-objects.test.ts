import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { removeToReplace } from '../../../src/apply/replace-object.ts';
import { systemClock } from '../../../src/kube/clock.ts';
import { discover } from '../../../src/kube/discovery.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { arrayAt, type JsonObject, stringAt, valueAt } from '../../../src/model/json.ts';
import { auditFromNow, writesBy } from '../../harness/audit.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { clusterOfUser, configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  changeOf,
  countOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const asks = { 'fleetwright.dev/apply': 'replace' };

describe('objects that are replaced where they cannot be changed', function () {
  this.timeout(180_000);
  const user = uniqueNamespace('replacer');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;

  const deployments = (): string => `/apis/apps/v1/namespaces/${fleet.namespace}/deployments`;
  const uidOf = async (path: string): Promise<string> =>
    stringAt(await someone.get(path), 'metadata', 'uid') ?? '';
  const deployment = (app: string, annotations: JsonObject): string =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: fleet.namespace, annotations },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app } },
        template: {
          metadata: { labels: { app } },
          spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] },
        },
      },
    });
  const settings = (data: JsonObject): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: fleet.namespace, annotations: asks },
      immutable: true,
      data,
    });
  const replicaSets = async (): Promise<string[]> =>
    arrayAt(await someone.get(`/apis/apps/v1/namespaces/${fleet.namespace}/replicasets`), 'items').map(
      (item) => stringAt(item, 'spec', 'selector', 'matchLabels', 'app') ?? '',
    );

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
    await fleet.repository.commit({
      'apps/web/web.yaml': deployment('one', {}),
      'apps/web/settings.yaml': settings({ a: '1' }),
    });
    await fleet.sync();
    await eventually(async () => ((await replicaSets()).includes('one') ? true : undefined), 'it has Pods');
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('are refused and left alone where nothing asks for it', async () => {
    const uid = await uidOf(`${deployments()}/web`);
    await fleet.repository.commit({ 'apps/web/web.yaml': deployment('two', {}) });
    const change = changeOf(await fleet.sync(), 'web');
    expect(change.action === 'failed' && change.error.code).to.equal('FieldImmutable');
    expect(await uidOf(`${deployments()}/web`)).to.equal(uid);
  });

  it('are shown as such by a plan, and replaced with all that they own; the second sync writes nothing', async () => {
    const uid = await uidOf(`${deployments()}/web`);
    await fleet.repository.commit({
      'apps/web/web.yaml': deployment('two', asks),
      'apps/web/settings.yaml': settings({ a: '2' }),
    });
    const replaced = { action: 'configure', reason: 'replaced: .spec.selector is immutable' };
    const planned = (await fleet.once('plan')).changes;
    expect(changeOf(planned, 'web')).to.include(replaced);
    expect(changeOf(planned, 'settings').reason).to.equal('replaced: .data is immutable');
    expect(await uidOf(`${deployments()}/web`)).to.equal(uid);

    const report = await fleet.sync();
    expect(changeOf(report, 'web')).to.include(replaced);
    expect(changeOf(report, 'settings').reason).to.equal('replaced: .data is immutable');
    expect(await uidOf(`${deployments()}/web`)).not.to.equal(uid);
    expect(valueAt(await someone.get(configMapPath(fleet.namespace, 'settings')), 'data')).to.deep.equal({
      a: '2',
    });
    expect(await replicaSets()).not.to.include('one');

    const audit = await auditFromNow(controlPlane);
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(3);
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
  });

  it('are created anew by the next sync where the first was cut off while it waited', async () => {
    const path = configMapPath(fleet.namespace, 'settings');
    await someone.patch(path, { metadata: { finalizers: ['example.com/hold'] } });
    await fleet.repository.commit({ 'apps/web/settings.yaml': settings({ a: '3' }) });
    const controller = new AbortController();
    const cutOff = fleet.once('sync', { signal: controller.signal }).then(
      () => 'done',
      () => 'cut off',
    );
    await eventually(
      async () =>
        stringAt(await someone.get(path), 'metadata', 'deletionTimestamp') === undefined ? undefined : true,
      'it is on its way out',
    );
    controller.abort();
    await cutOff;
    expect(changeOf(await fleet.sync(), 'settings').action).to.equal('pending');
    await someone.patch(path, { metadata: { finalizers: null } });
    await eventually(async () => ((await someone.get(path)) === undefined ? true : undefined), 'it is gone');
    expect(changeOf(await fleet.sync(), 'settings').action).to.equal('create');
    expect(valueAt(await someone.get(path), 'data')).to.deep.equal({ a: '3' });
  });

  it('are waited for until a finalizer lets them go', async () => {
    const path = configMapPath(fleet.namespace, 'settings');
    await someone.patch(path, { metadata: { finalizers: ['example.com/hold'] } });
    await fleet.repository.commit({ 'apps/web/settings.yaml': settings({ a: '4' }) });
    const sync = fleet.sync();
    await eventually(
      async () =>
        stringAt(await someone.get(path), 'metadata', 'deletionTimestamp') === undefined ? undefined : true,
      'it is on its way out',
    );
    await sleep(500);
    await someone.patch(path, { metadata: { finalizers: null } });
    expect(changeOf(await sync, 'settings').reason).to.equal('replaced: .data is immutable');
    expect(valueAt(await someone.get(path), 'data')).to.deep.equal({ a: '4' });
  });

  it('are not waited for without end, and others of that name are left alone', async () => {
    const signal = AbortSignal.timeout(60_000);
    const resource = (await discover(someone.client, signal)).find('v1', 'ConfigMap')!;
    await someone.create(`/api/v1/namespaces/${fleet.namespace}/configmaps`, {
      metadata: { name: 'held', finalizers: ['example.com/hold'] },
    });
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: fleet.namespace, name: 'held' };
    const path = configMapPath(fleet.namespace, 'held');
    const remove = (uid: string): Promise<string> =>
      removeToReplace(ref, {
        client: someone.client,
        resource,
        uid,
        clock: systemClock,
        signal,
        withinMs: 1_000,
      }).then(
        () => 'gone',
        (error: unknown) => (error instanceof FleetError ? `${error.code}: ${error.message}` : String(error)),
      );
    expect(await remove('00000000-0000-4000-8000-000000000000')).to.match(/^ApplyConflict: another object/);
    expect(stringAt(await someone.get(path), 'metadata', 'deletionTimestamp')).to.equal(undefined);
    expect(await remove(await uidOf(path))).to.match(
      /^DeadlineExceeded: it was deleted to be replaced and is not gone after 1 s; it is held by example.com\/hold/,
    );
    await someone.patch(path, { metadata: { finalizers: null } });
  });
});
