import { join } from 'node:path';
import { expect } from 'chai';

import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import type { Drift } from '../../../src/model/change.ts';
import type { FieldManager } from '../../../src/model/field.ts';
import { stringAt } from '../../../src/model/json.ts';
import { renderReport } from '../../../src/report/render-report.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import {
  changeOf,
  driftOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';
import { type Person, person } from '../../harness/person.ts';

const generator = `
apiVersion: fleetwright.dev/v1alpha1
kind: Generator
metadata: {name: web}
spec:
  clusterSelector: {}
  source: {path: apps/web}
`;

const names = ['deleted', 'edited', 'swept', 'away', 'with-namespace'];
const files = (namespace: string) => ({
  'generators/web.yaml': generator,
  'apps/web/all.yaml': [
    `{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`,
    `{apiVersion: v1, kind: Secret, metadata: {name: lone, namespace: ${namespace}}, stringData: {a: b}}`,
    `{apiVersion: apps/v1, kind: Deployment, metadata: {name: scaled, namespace: ${namespace}}, spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}}}`,
    ...names.map(
      (name) =>
        `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: ${namespace}}, data: {color: blue}}`,
    ),
  ].join('\n---\n'),
});

/** An API server's clock is this machine's; what it logs is rounded to nothing coarser than a millisecond. */
function isBetween(time: string | undefined, from: number, to: number): boolean {
  const at = Date.parse(time ?? '');
  return at >= from - 1 && at <= to + 1;
}

describe('who did it', function () {
  this.timeout(120_000);
  let controlPlane: ControlPlane;
  let someone: Outsider;
  let jane: Person;

  const startFleet = async (auditPath?: string): Promise<TestFleet> =>
    startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane, ...(auditPath === undefined ? {} : { auditPath }) }],
      files,
    });

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    jane = await person(controlPlane, 'jane@example.com');
  });

  after(async () => {
    await jane.close();
    await someone.close();
  });

  describe('with the audit log of the API server', () => {
    let fleet: TestFleet;
    let engine: TestEngine;

    const space = (): string => `/api/v1/namespaces/${fleet.namespace}`;
    const configMap = (name: string): string => `${space()}/configmaps/${name}`;
    const corrected = (name: string): Promise<Drift> =>
      eventually(() => {
        const drift = driftOf(engine.drift(), name);
        return drift?.action === 'corrected' ? drift : undefined;
      }, `${name} is listed as corrected`);

    before(async () => {
      fleet = await startFleet(controlPlane.auditLogPath);
      engine = fleet.start();
      await engine.settled();
    });

    after(() => fleet.close());

    it('tells who deleted an object that is back', async () => {
      const before = Date.now();
      const uid = stringAt(await someone.get(configMap('deleted')), 'metadata', 'uid');
      await jane.delete(configMap('deleted'));
      const after = Date.now();
      const back = await eventually(() => someone.get(configMap('deleted')), 'it is back');
      expect(stringAt(back, 'metadata', 'uid')).not.to.equal(uid);
      const { kind, changedBy = [] } = await corrected('deleted');
      expect(kind).to.equal('missing');
      expect(changedBy.map(withoutTime)).to.deep.equal([
        { manager: 'kubectl', operation: 'Delete', user: 'jane@example.com', sourceIPs: ['127.0.0.1'] },
      ]);
      expect(isBetween(changedBy[0]?.time, before, after)).to.equal(true);
      expect(renderReport(engine.drift(), { format: 'text', color: false, width: 120 })).to.match(
        /- ConfigMap\/deleted .* missing, corrected .*\n +deleted by +kubectl delete \(kubectl\) by jane@example\.com from 127\.0\.0\.1, /,
      );
      expect(engine.log()).to.contain('"by":"kubectl (jane@example.com)"');
    });

    it('tells the next one of another program apart', async () => {
      const bob = await person(controlPlane, 'bob', { agent: 'k9s/v0.50.6 (darwin/arm64)' });
      const before = Date.now();
      await bob.delete(configMap('deleted'));
      await bob.close();
      const drift = await eventually(
        () =>
          engine
            .drift()
            .clusters.flatMap(({ objects }) => objects)
            .find(({ ref, detectedAt }) => ref.name === 'deleted' && Date.parse(detectedAt) >= before),
        'it is listed again',
      );
      expect(drift.changedBy?.map(({ manager, user }) => [manager, user])).to.deep.equal([['k9s', 'bob']]);
    });

    it('tells the user behind an edit and behind a scale', async () => {
      await jane.patch(configMap('edited'), { data: { color: 'red' } }, 'kubectl-edit');
      const edit = (await corrected('edited')).fields.map(({ path, changedBy }) => [
        path,
        ...changedBy.map(withoutTime),
      ]);
      const by = { operation: 'Update', user: 'jane@example.com', sourceIPs: ['127.0.0.1'] };
      expect(edit).to.deep.equal([['.data.color', { manager: 'kubectl-edit', ...by }]]);
      const scale = `/apis/apps/v1/namespaces/${fleet.namespace}/deployments/scaled/scale`;
      await jane.patch(scale, { spec: { replicas: 5 } }, 'kubectl');
      expect((await corrected('scaled')).fields.flatMap(({ changedBy }) => changedBy)).to.deep.equal([
        { manager: 'kubectl', ...by, subresource: 'scale' },
      ]);
    });

    it('tells who deleted all objects of a kind at once', async () => {
      await jane.delete(`${space()}/secrets`);
      const { kind, changedBy = [] } = await corrected('lone');
      expect(kind).to.equal('missing');
      expect(changedBy.map(({ user }) => user)).to.deep.equal(['jane@example.com']);
    });

    it('tells it in a drift report and a plan of a moment, too', async () => {
      await engine.stop();
      await jane.delete(configMap('away'));
      const { drift } = await fleet.once('drift');
      const found = driftOf(drift, 'away');
      expect([found?.kind, found?.changedBy?.map(({ user }) => user)]).to.deep.equal([
        'missing',
        ['jane@example.com'],
      ]);
      const { changes } = await fleet.once('plan');
      const change = changeOf(changes, 'away');
      expect([change.action, change.changedBy?.map(({ user }) => user)]).to.deep.equal([
        'create',
        ['jane@example.com'],
      ]);
      engine = fleet.start();
      await engine.settled();
      expect((await corrected('away')).changedBy).to.deep.equal(found?.changedBy);
    });

    it('tells who deleted the namespace in which an object was', async () => {
      await jane.delete(space());
      const drift = await corrected('with-namespace');
      expect(
        drift.changedBy?.map(({ manager, user, target }) => [manager, user, target?.name]),
      ).to.deep.equal([
        ['kubectl', 'jane@example.com', fleet.namespace],
        ['kube-controller-manager', 'system:serviceaccount:kube-system:namespace-controller', undefined],
      ]);
      expect((await corrected(fleet.namespace)).changedBy?.map(({ user }) => user)).to.deep.equal([
        'jane@example.com',
      ]);
    });
  });

  it('stays unknown without a log', async () => {
    const fleet = await startFleet();
    try {
      await fleet.sync();
      const path = `/api/v1/namespaces/${fleet.namespace}/configmaps`;
      await jane.delete(`${path}/deleted`);
      await jane.patch(`${path}/edited`, { data: { color: 'red' } }, 'kubectl-edit');
      const { drift } = await fleet.once('drift');
      expect(driftOf(drift, 'deleted')).not.to.have.property('changedBy');
      expect(driftOf(drift, 'edited')?.fields[0]?.changedBy.map(withoutTime)).to.deep.equal([
        { manager: 'kubectl-edit', operation: 'Update' },
      ]);
      expect(drift.clusters[0]).not.to.have.property('warnings');
    } finally {
      await fleet.close();
    }
  });

  it('is a warning where the log is missing, which the log of the engine tells once', async () => {
    const path = join(controlPlane.kubeconfigPath, '..', 'nowhere', 'audit.jsonl');
    const fleet = await startFleet(path);
    try {
      const engine = fleet.start();
      await engine.settled();
      for (const name of ['deleted', 'edited']) {
        await jane.delete(`/api/v1/namespaces/${fleet.namespace}/configmaps/${name}`);
        await eventually(() => driftOf(engine.drift(), name), `${name} is listed`);
      }
      expect(driftOf(engine.drift(), 'deleted')).to.include({ kind: 'missing', action: 'corrected' });
      const told = `the audit log ${path} does not exist`;
      expect(engine.log().split(told)).to.have.length(2);
      const [fromEngine, once] = [engine.drift(), (await fleet.once('drift')).drift];
      for (const report of [fromEngine, once, engine.report()])
        expect(report.clusters[0]?.warnings?.filter((text) => text.startsWith(told))).to.have.length(1);
    } finally {
      await fleet.close();
    }
  });
});

function withoutTime({ time: _time, ...manager }: FieldManager): Omit<FieldManager, 'time'> {
  return manager;
}
