import { expect } from 'chai';

import { objectAt, stringAt } from '../../../src/model/json.ts';
import type { DriftPolicy } from '../../../src/model/settings.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { auditFromNow, writesBy } from '../../harness/audit.ts';
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
import type { Files } from '../../harness/git.ts';

const generator = (sync: string): string => `
apiVersion: fleetwright.dev/v1alpha1
kind: Generator
metadata: {name: web}
spec:
  clusterSelector: {}
  source: {path: apps/web}
  sync: ${sync}
`;

const configMap = (namespace: string, name: string, annotations = '{}'): string => `---
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: ${namespace}, annotations: ${annotations}}
data: {color: blue}
`;

const files =
  (sync: string, annotations?: string) =>
  (namespace: string): Files => ({
    'generators/web.yaml': generator(sync),
    'apps/web/namespace.yaml': `{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`,
    'apps/web/all.yaml': ['changed', 'deleted', 'unlabelled']
      .map((name) => configMap(namespace, name, annotations))
      .join(''),
  });

const lenient: readonly {
  says: string;
  fleet?: DriftPolicy;
  files: (namespace: string) => Files;
  action: string;
}[] = [
  { says: 'the fleet says report', fleet: 'report', files: files('{}'), action: 'reported' },
  { says: 'the generator says report', files: files('{drift: report}'), action: 'reported' },
  {
    says: "the object's annotation says report",
    files: files('{drift: correct}', '{fleetwright.dev/drift: report}'),
    action: 'reported',
  },
  { says: 'the generator says ignore', files: files('{drift: ignore}'), action: 'ignored' },
];

for (const { says, fleet: drift, files: given, action } of lenient) {
  describe(`drift, where ${says}`, () => {
    let controlPlane: ControlPlane;
    let fleet: TestFleet;
    let engine: TestEngine;
    let someone: Outsider;
    let user: string;

    const path = (name: string): string => `/api/v1/namespaces/${fleet.namespace}/configmaps/${name}`;
    const listed = (): object =>
      Object.fromEntries(
        ['changed', 'deleted', 'unlabelled'].map((name) => {
          const found = driftOf(engine.drift(), name);
          return [name, found === undefined ? 'nothing' : `${found.kind} ${found.action}`];
        }),
      );
    const expected = {
      changed: `changed ${action}`,
      deleted: `missing ${action}`,
      unlabelled: `unlabelled ${action}`,
    };

    before(async () => {
      controlPlane = await sharedControlPlane();
      someone = await outsider(controlPlane);
      user = `fleetwright-${says.replaceAll(/[^a-z]+/g, '-')}`;
      const kubeconfigPath = await controlPlane.issueClient(user, ['system:masters'], 3_600_000);
      fleet = await startTestFleet({
        clusters: [{ name: 'tokyo', controlPlane: { kubeconfigPath } }],
        files: given,
        ...(drift === undefined ? {} : { sync: { drift } }),
      });
      engine = fleet.start();
      await engine.settled();
    });

    after(async () => {
      await fleet.close();
      await someone.close();
    });

    it('is listed with its fields, and nothing is written', async () => {
      const audit = await auditFromNow(controlPlane);
      await someone.patch(path('changed'), { data: { color: 'red' } });
      await someone.delete(path('deleted'));
      await someone.patch(path('unlabelled'), { metadata: { labels: null } }, 'kubectl-label');
      await eventually(
        () => (JSON.stringify(listed()) === JSON.stringify(expected) ? true : undefined),
        `${JSON.stringify(expected)}, but ${JSON.stringify(listed())}`,
      );
      await engine.settled();
      const fields = driftOf(engine.drift(), 'changed')?.fields ?? [];
      expect(
        fields.map(({ path: at, desired, live, changedBy }) => [at, desired, live, changedBy[0]?.manager]),
      ).to.deep.equal([['.data.color', 'blue', 'red', 'kubectl-edit']]);
      expect(writesBy(await audit.events(), user)).to.deep.equal([]);
      expect(objectAt(await someone.get(path('changed')), 'data')).to.deep.equal({ color: 'red' });
      expect(await someone.get(path('deleted'))).to.equal(undefined);
    });

    it('is not asked for again while nothing moves', async () => {
      const audit = await auditFromNow(controlPlane);
      await fleet.repository.commit({ 'README.md': 'hello' });
      await eventually(
        () => (engine.status().revision === engine.report().clusters[0]?.revision ? true : undefined),
        'the commit was pursued',
      );
      await engine.settled();
      const requests = (await audit.events()).filter(
        (event) => event.user === user && event.verb !== 'watch',
      );
      expect(requests).to.deep.equal([]);
    });

    it('is listed in the same way by a look of one moment, and survives a restart', async () => {
      await engine.stop();
      const { drift: report } = await fleet.once('drift');
      expect(
        report.clusters[0]?.objects.map(({ ref, kind, action: done }) => `${ref.name}: ${kind} ${done}`),
      ).to.have.members([
        `changed: changed ${action}`,
        `deleted: missing ${action}`,
        `unlabelled: unlabelled ${action}`,
      ]);
      const audit = await auditFromNow(controlPlane);
      engine = fleet.start();
      await engine.settled();
      expect(listed()).to.deep.equal(expected);
      expect(writesBy(await audit.events(), user)).to.deep.equal([]);
    });

    it('is no more once somebody put it right', async () => {
      await someone.patch(path('changed'), { data: { color: 'blue' } });
      await eventually(
        () => (driftOf(engine.drift(), 'changed') === undefined ? true : undefined),
        'the changed object is listed no longer',
      );
      expect(stringAt(await someone.get(path('changed')), 'data', 'color')).to.equal('blue');
    });

    it('does not keep a new wish of Git from being applied', async () => {
      const text = configMap(fleet.namespace, 'changed').replace('blue', 'yellow');
      await fleet.repository.commit({ 'apps/web/all.yaml': text });
      await eventually(
        async () =>
          stringAt(await someone.get(path('changed')), 'data', 'color') === 'yellow' ? true : undefined,
        'the new value is there',
      );
    });
  });
}
