import { expect } from 'chai';

import { applyPlan } from '../../../src/apply/apply-plan.ts';
import type { WriteResult } from '../../../src/apply/write-result.ts';
import { systemClock } from '../../../src/kube/clock.ts';
import { discover } from '../../../src/kube/discovery.ts';
import { adoptAnnotation, partOfLabel } from '../../../src/model/apply-set.ts';
import type { Change } from '../../../src/model/change.ts';
import { type JsonObject, stringAt, valueAt } from '../../../src/model/json.ts';
import { refKey } from '../../../src/model/object-ref.ts';
import type { PreparedObject } from '../../../src/model/plan.ts';
import type { ChangeReport } from '../../../src/model/report.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { auditFromNow, writesBy } from '../../harness/audit.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import {
  clusterOfUser,
  configMap,
  configMapPath,
  generatorFile,
  namespaceFile,
} from '../../harness/fleet-files.ts';
import {
  actionsOf,
  changeOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const others: Record<string, JsonObject> = {
  argo: { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:/ConfigMap:shop/argo' } },
  flux: {
    labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop', 'kustomize.toolkit.fluxcd.io/namespace': 'flux' },
  },
  helm: {
    annotations: { 'meta.helm.sh/release-name': 'shop' },
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  },
  applyset: { labels: { [partOfLabel]: 'applyset-another-v1' } },
};

describe('objects that existed before', () => {
  const user = uniqueNamespace('adopter');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;

  const create = (name: string, data: JsonObject, metadata: JsonObject = {}): Promise<JsonObject> =>
    someone.create(`/api/v1/namespaces/${fleet.namespace}/configmaps`, {
      metadata: { name, ...metadata },
      data,
    });
  const live = (name: string): Promise<JsonObject | undefined> =>
    someone.get(configMapPath(fleet.namespace, name));
  const heldAs = (report: ChangeReport, name: string): Extract<Change, { action: 'held' }> => {
    const change = changeOf(report, name);
    if (change.action !== 'held') throw new Error(`${name} is ${change.action}: ${change.reason ?? ''}`);
    return change;
  };

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
    await fleet.sync();
    await create('same', { colour: 'blue' });
    await create('different', { colour: 'red', extra: 'kept' });
    await create('invited', { colour: 'red' });
    for (const [name, metadata] of Object.entries(others)) await create(name, { colour: 'red' }, metadata);
    const wanted = ['same', 'different', ...Object.keys(others)].map((name) =>
      configMap(fleet.namespace, name, { data: { colour: 'blue' } }),
    );
    const invited = configMap(fleet.namespace, 'invited', {
      data: { colour: 'blue' },
      annotations: { [adoptAnnotation]: 'true' },
    });
    await fleet.repository.commit({ 'apps/web/all.yaml': [...wanted, invited].join('\n---\n') });
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('are looked at by a plan, which says what would be taken and what is held', async () => {
    const { changes } = await fleet.once('plan');
    expect(actionsOf(changes)).to.deep.equal([
      'configure ConfigMap/invited',
      'configure ConfigMap/same',
      'failed ConfigMap/applyset',
      'failed ConfigMap/argo',
      'failed ConfigMap/flux',
      'failed ConfigMap/helm',
      'held ConfigMap/different',
    ]);
    expect(changeOf(changes, 'same').reason).to.contain('adopted');
    expect(stringAt(await live('same'), 'metadata', 'labels', partOfLabel)).to.equal(undefined);
  });

  it('are adopted where that changes nothing, or where the manifest invites it', async () => {
    const report = await fleet.sync();
    expect(changeOf(report, 'same')).to.include({ action: 'configure' });
    expect(stringAt(await live('same'), 'metadata', 'labels', partOfLabel)).to.match(/^applyset-/);
    expect(changeOf(report, 'invited')).to.include({ action: 'configure' });
    expect(valueAt(await live('invited'), 'data')).to.deep.equal({ colour: 'blue' });
  });

  it('are held with their differences otherwise, and written when that is approved', async () => {
    const held = heldAs(await fleet.sync(), 'different');
    expect(held.fields.map(({ path, desired, live: was }) => ({ path, desired, was }))).to.deep.equal([
      { path: '.data.colour', desired: 'blue', was: 'red' },
    ]);
    expect(held.fields[0]?.changedBy[0]?.manager).to.equal('kubectl-create');
    expect(valueAt(await live('different'), 'data')).to.deep.equal({ colour: 'red', extra: 'kept' });
    fleet.approve(held.holdId);
    expect(changeOf(await fleet.sync(), 'different')).to.include({ action: 'configure' });
    expect(valueAt(await live('different'), 'data')).to.deep.equal({ colour: 'blue', extra: 'kept' });
  });

  it('are left alone where another tool owns them, with its name', async () => {
    const audit = await auditFromNow(controlPlane);
    const report = await fleet.sync();
    for (const [name, tool] of [
      ['argo', 'Argo CD'],
      ['flux', 'Flux'],
      ['helm', 'Helm release shop'],
      ['applyset', 'applyset-another-v1'],
    ] as const) {
      const change = changeOf(report, name);
      if (change.action !== 'failed') throw new Error(`${name} is ${change.action}`);
      expect(change.error.code).to.equal('OwnershipConflict');
      expect(change.error.message).to.contain(tool);
      expect(change.error.subject.origin?.file).to.equal('apps/web/all.yaml');
      expect(valueAt(await live(name), 'data')).to.deep.equal({ colour: 'red' });
    }
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
  });

  it('are adopted by the running engine as soon as that is approved', async () => {
    await create('later', { colour: 'red' });
    const engine = fleet.start();
    await engine.settled();
    await fleet.repository.commit({
      'apps/web/later.yaml': configMap(fleet.namespace, 'later', { data: { colour: 'blue' } }),
    });
    const held = await eventually(() => {
      try {
        return heldAs(engine.report(), 'later');
      } catch {
        return undefined;
      }
    }, 'it is held');
    fleet.approve(held.holdId);
    await eventually(
      async () => (valueAt(await live('later'), 'data', 'colour') === 'blue' ? true : undefined),
      'it is adopted',
    );
    await engine.stop();
  });

  it('are not overwritten when they came up between the look and the write', async () => {
    const signal = AbortSignal.timeout(20_000);
    const discovery = await discover(someone.client, signal);
    await create('raced', { colour: 'red' });
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: fleet.namespace, name: 'raced' };
    const object: PreparedObject = {
      ref,
      key: refKey(ref),
      body: JSON.parse(configMap(fleet.namespace, 'raced', { data: { colour: 'blue' } })) as JsonObject,
      origin: { generator: 'web', file: 'apps/web/raced.yaml', document: 1, line: 1 },
      hash: 'hash',
      drift: 'correct',
      adopt: false,
      dependsOn: [],
    };
    const results: WriteResult[] = [];
    await applyPlan(
      { stages: [[{ action: 'create', object }]], settled: [] },
      {
        client: someone.client,
        resolve: ({ apiVersion, kind }) => discovery.find(apiVersion, kind),
        signal,
        clock: systemClock,
        onResult: (result) => results.push(result),
      },
    );
    const [result] = results;
    if (result?.outcome !== 'failed') throw new Error(`it was ${String(result?.outcome)}`);
    expect(result.error.code).to.equal('OwnershipConflict');
    expect(valueAt(await live('raced'), 'data')).to.deep.equal({ colour: 'red' });
  });
});
