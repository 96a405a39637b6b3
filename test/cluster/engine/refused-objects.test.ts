import { expect } from 'chai';

import type { Change } from '../../../src/model/change.ts';
import type { ErrorCode } from '../../../src/model/error-codes.ts';
import { stringAt, valueAt } from '../../../src/model/json.ts';
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
  countOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const group = `${uniqueNamespace('refused')}.example.com`;

const job = (namespace: string, image: string): string => `
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: ${namespace}}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: migrate, image: "${image}"}]}
`;

const customResource = JSON.stringify({
  apiVersion: `${group}/v1`,
  kind: 'Gadget',
  metadata: { name: 'dependant' },
  spec: {},
});

const brokenDefinition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `gadgets.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { kind: 'Gadget', plural: 'gadgets' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'nothing' } } }],
  },
});

/** Ten objects that cannot be, each for a reason of its own; and what must be said of each. */
const refused = (
  namespace: string,
): Record<string, { readonly manifest: string; readonly code: ErrorCode }> => ({
  'a-too-long': {
    manifest: configMap(namespace, 'too-large', { data: { big: 'x'.repeat(1_200_000) } }),
    code: 'ObjectInvalid',
  },
  'b-annotation': {
    manifest: configMap(namespace, 'annotated', { annotations: { 'example.com/big': 'x'.repeat(300_000) } }),
    code: 'ObjectInvalid',
  },
  'c-field': {
    manifest: `{apiVersion: v1, kind: Service, metadata: {name: misspelt, namespace: ${namespace}}, spec: {port: 80}}`,
    code: 'ObjectInvalid',
  },
  'd-type': {
    manifest: `{apiVersion: v1, kind: Service, metadata: {name: mistyped, namespace: ${namespace}}, spec: {ports: [{port: "eighty"}]}}`,
    code: 'ObjectInvalid',
  },
  'e-missing': {
    manifest: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: incomplete, namespace: ${namespace}}, spec: {replicas: 1}}`,
    code: 'ObjectInvalid',
  },
  'f-duplicate': {
    manifest: `{apiVersion: v1, kind: Service, metadata: {name: twice, namespace: ${namespace}}, spec: {ports: [{name: a, port: 80}, {name: b, port: 80}]}}`,
    code: 'ObjectInvalid',
  },
  'g-kind': {
    manifest: '{apiVersion: nobody.example.com/v1, kind: Nothing, metadata: {name: unknown}}',
    code: 'KindUnknown',
  },
  'h-namespace': { manifest: configMap(`${namespace}-missing`, 'homeless'), code: 'DependencyFailed' },
  'i-definition': { manifest: brokenDefinition, code: 'ObjectInvalid' },
  'j-dependant': { manifest: customResource, code: 'DependencyFailed' },
});

describe('objects that a server refuses', () => {
  const user = uniqueNamespace('refused');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;

  const failureOf = (report: ChangeReport, name: string): Extract<Change, { action: 'failed' }> => {
    const change = changeOf(report, name);
    if (change.action !== 'failed') throw new Error(`${name} is ${change.action}`);
    return change;
  };

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
  });

  beforeEach(async () => {
    fleet = await startTestFleet({
      clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user })],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/good.yaml': configMap(namespace, 'good'),
      }),
    });
    await fleet.sync();
  });

  afterEach(() => fleet.close());
  after(() => someone.close());

  it('are all named at once, each with its place, and stop nothing else', async () => {
    const expected = refused(fleet.namespace);
    await fleet.repository.commit({
      ...Object.fromEntries(
        Object.entries(expected).map(([file, { manifest }]) => [`apps/web/${file}.yaml`, manifest]),
      ),
      'apps/web/z-good.yaml': configMap(fleet.namespace, 'also-good'),
    });
    const report = await fleet.sync();
    const failures = report.clusters[0]!.changes.flatMap((change) =>
      change.action === 'failed'
        ? [{ file: change.error.subject.origin?.file, code: change.error.code }]
        : [],
    );
    expect(failures).to.have.deep.members(
      Object.entries(expected).map(([file, { code }]) => ({ file: `apps/web/${file}.yaml`, code })),
    );
    expect(failureOf(report, 'dependant').error.message).to.contain(
      `CustomResourceDefinition/gadgets.${group}`,
    );
    expect(failureOf(report, 'homeless').error.message).to.contain(`${fleet.namespace}-missing`);
    expect(countOf(report, 'create')).to.equal(1);
    expect(await someone.get(configMapPath(fleet.namespace, 'also-good'))).to.not.equal(undefined);
    expect(report.clusters[0]!.errors).to.deep.equal([]);
    const { drift } = await fleet.once('drift');
    const told = drift.clusters[0]!.errors.map(({ subject }) => subject.origin?.file);
    // That the cause fails is known without trying; that its dependant follows is not.
    const refusals = failures.filter(({ code }) => code !== 'DependencyFailed');
    expect(told).to.include.members(refusals.map(({ file }) => file));
  });

  it('are not asked for again at each turn of the engine', async () => {
    const lasting = Object.entries(refused(fleet.namespace)).filter(
      ([, { code }]) => code === 'ObjectInvalid' || code === 'KindUnknown',
    );
    await fleet.repository.commit({
      ...Object.fromEntries(lasting.map(([file, { manifest }]) => [`apps/web/${file}.yaml`, manifest])),
      'apps/web/job.yaml': job(fleet.namespace, 'migrate:1'),
    });
    const audit = await auditFromNow(controlPlane);
    const engine = fleet.start();
    await engine.settled();
    await eventually(
      () => (countOf(engine.report(), 'failed') === lasting.length ? true : undefined),
      'all failures are reported',
    );
    for (const turn of [1, 2, 3]) {
      const revision = await fleet.repository.commit({
        'apps/web/good.yaml': configMap(fleet.namespace, 'good', { data: { turn: String(turn) } }),
      });
      await eventually(
        () => (engine.report().clusters[0]?.revision === revision ? true : undefined),
        'the revision is synced',
      );
      expect(countOf(engine.report(), 'failed')).to.equal(lasting.length);
    }
    const refusals = writesBy(await audit.events(), user).filter(({ status }) => status >= 400);
    const names = refusals.map(({ resource, name }) => `${resource}/${name}`);
    expect(names.length).to.equal(new Set(names).size);
  });

  it('keep their dependants waiting in the running engine, with the cause named', async () => {
    const { 'i-definition': definition, 'j-dependant': dependant } = refused(fleet.namespace);
    await fleet.repository.commit({
      'apps/web/i.yaml': definition!.manifest,
      'apps/web/j.yaml': dependant!.manifest,
    });
    const audit = await auditFromNow(controlPlane);
    const engine = fleet.start();
    await engine.settled();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const error = failureOf(engine.report(), 'dependant').error;
    expect(error.code).to.equal('DependencyFailed');
    expect(error.message).to.contain(`CustomResourceDefinition/gadgets.${group}`);
    const tries = writesBy(await audit.events(), user).filter(({ uri }) => uri.includes(group));
    expect(tries.map(({ resource }) => resource)).to.deep.equal(['customresourcedefinitions']);
  });

  describe('for an immutable field', () => {
    const path = (): string => `/apis/batch/v1/namespaces/${fleet.namespace}/jobs/migrate`;
    const checkLeft = async (uid: string | undefined): Promise<void> => {
      const live = await someone.get(path());
      expect(stringAt(live, 'metadata', 'uid')).to.equal(uid);
      expect(JSON.stringify(valueAt(live, 'spec', 'template', 'spec', 'containers'))).to.contain('migrate:1');
    };

    it('keep what is there; nothing is deleted, the rest is applied', async () => {
      await fleet.repository.commit({ 'apps/web/job.yaml': job(fleet.namespace, 'migrate:1') });
      await fleet.sync();
      const uid = stringAt(await someone.get(path()), 'metadata', 'uid');
      const audit = await auditFromNow(controlPlane);
      await fleet.repository.commit({
        'apps/web/job.yaml': job(fleet.namespace, 'migrate:2'),
        'apps/web/good.yaml': configMap(fleet.namespace, 'good', { data: { colour: 'blue' } }),
      });
      const report = await fleet.sync();
      expect(actionsOf(report)).to.deep.equal(['configure ConfigMap/good', 'failed Job/migrate']);
      const { error } = failureOf(report, 'migrate');
      expect(error.code).to.equal('FieldImmutable');
      expect(error.subject.origin).to.include({ file: 'apps/web/job.yaml', line: 2 });
      await checkLeft(uid);
      expect(writesBy(await audit.events(), user).filter(({ verb }) => verb === 'delete')).to.deep.equal([]);
      const plan = await fleet.once('plan');
      expect(failureOf(plan.changes, 'migrate').error.code).to.equal('FieldImmutable');
    });

    it('are tried once by the running engine, not at each turn', async () => {
      await fleet.repository.commit({ 'apps/web/job.yaml': job(fleet.namespace, 'migrate:1') });
      const engine = fleet.start();
      await engine.settled();
      const uid = await eventually(
        async () => stringAt(await someone.get(path()), 'metadata', 'uid'),
        'the Job exists',
      );
      const audit = await auditFromNow(controlPlane);
      await fleet.repository.commit({ 'apps/web/job.yaml': job(fleet.namespace, 'migrate:2') });
      await eventually(() => (countOf(engine.report(), 'failed') === 1 ? true : undefined), 'it is refused');
      await someone.delete(configMapPath(fleet.namespace, 'good'));
      await eventually(
        () => someone.get(configMapPath(fleet.namespace, 'good')),
        'drift is corrected meanwhile',
      );
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const tries = writesBy(await audit.events(), user).filter(({ name }) => name === 'migrate');
      expect(tries.map(({ verb, status }) => `${verb} ${status}`)).to.deep.equal(['patch 422']);
      await checkLeft(uid);
    });
  });
});
