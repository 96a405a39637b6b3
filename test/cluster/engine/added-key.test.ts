import { expect } from 'chai';

import type { Drift } from '../../../src/model/change.ts';
import type { DriftReport } from '../../../src/model/report.ts';
import { objectAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import {
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';

const manifests = (namespace: string): string => `
apiVersion: v1
kind: Namespace
metadata: {name: ${namespace}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: ${namespace}}
data: {a: one, b: two}
`;

/** Git says nothing of a key that somebody adds, so it stays; but whoever reads a drift report is told of it. */
describe('a key added by hand', () => {
  let fleet: TestFleet;
  let engine: TestEngine;
  let someone: Outsider;
  let path: string;

  before(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({ 'clusters/tokyo/all.yaml': manifests(namespace) }),
    });
    path = `/api/v1/namespaces/${fleet.namespace}/configmaps/settings`;
    engine = fleet.start();
    await engine.settled();
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('stays, while the value that was changed with it is taken back', async () => {
    await someone.patch(path, { data: { a: 'uno', x: 'extra' } });
    await eventually(
      async () => (objectAt(await someone.get(path), 'data')['a'] === 'one' ? true : undefined),
      'a is as in Git',
    );
    expect(objectAt(await someone.get(path), 'data')).to.deep.equal({ a: 'one', b: 'two', x: 'extra' });
  });

  it('is listed as reported, and the changed value as corrected', async () => {
    await eventually(() => (of(engine.drift(), 'reported').length > 0 ? true : undefined), 'it is reported');
    expect(of(engine.drift(), 'reported')).to.deep.equal([
      { kind: 'changed', fields: [['.data.x', undefined, 'extra', 'kubectl-edit']] },
    ]);
    expect(of(engine.drift(), 'corrected')).to.deep.equal([
      { kind: 'changed', fields: [['.data.a', 'one', 'uno', 'kubectl-edit']] },
    ]);
  });

  it('is still listed when the engine went over the object again', async () => {
    await fleet.repository.commit({ 'clusters/tokyo/other.yaml': configMap(fleet.namespace, 'other') });
    await eventually(
      () => someone.get(`/api/v1/namespaces/${fleet.namespace}/configmaps/other`),
      'the new object is there',
    );
    await engine.settled();
    expect(of(engine.drift(), 'reported')).to.have.length(1);
  });

  it('is listed by a look of one moment', async () => {
    const { drift } = await fleet.once('drift');
    expect(of(drift, 'reported')).to.deep.equal([
      { kind: 'changed', fields: [['.data.x', undefined, 'extra', 'kubectl-edit']] },
    ]);
  });

  it('is listed by an engine that starts anew', async () => {
    await engine.stop();
    engine = fleet.start();
    await engine.settled();
    expect(of(engine.drift(), 'reported')).to.deep.equal([
      { kind: 'changed', fields: [['.data.x', undefined, 'extra', 'kubectl-edit']] },
    ]);
  });

  it('is no longer listed once it is gone', async () => {
    await someone.patch(path, { data: { x: null } });
    await eventually(
      () => (of(engine.drift(), 'reported').length === 0 ? true : undefined),
      'it is forgotten',
    );
  });

  it('is no addition once Git has it, too', async () => {
    await someone.patch(path, { data: { z: 'more' } });
    await eventually(() => (of(engine.drift(), 'reported').length > 0 ? true : undefined), 'it is reported');
    const manifest = manifests(fleet.namespace).replace('b: two', 'b: two, z: more');
    await fleet.repository.commit({ 'clusters/tokyo/all.yaml': manifest });
    await eventually(
      () => (of(engine.drift(), 'reported').length === 0 ? true : undefined),
      'it is forgotten',
    );
  });
});

function of(report: DriftReport, action: Drift['action']): object[] {
  return report.clusters
    .flatMap(({ objects }) => objects)
    .filter((drift) => drift.action === action)
    .map(({ kind, fields }) => ({
      kind,
      fields: fields.map((field) => [field.path, field.desired, field.live, field.changedBy[0]?.manager]),
    }));
}

function configMap(namespace: string, name: string): string {
  return `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: ${namespace}}}`;
}
