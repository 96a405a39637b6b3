import { expect } from 'chai';

import { type JsonObject, stringAt } from '../../../src/model/json.ts';
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

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

const job = (namespace: string, name: string): string => `
apiVersion: batch/v1
kind: Job
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: migrate, image: "migrate:1"}]}
`;

const everything = ['get', 'list', 'watch', 'create', 'patch', 'delete'];
const core: JsonObject = { apiGroups: [''], resources: ['namespaces', 'configmaps'], verbs: everything };

describe('a user whose rights are limited', () => {
  const user = uniqueNamespace('limited');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;

  const allow = (verbs: readonly string[]): Promise<JsonObject> =>
    someone.patch(`${roles}/${user}`, {
      rules: [core, { apiGroups: ['batch'], resources: ['jobs'], verbs: [...verbs] }],
    });
  const jobIn = (name: string): string => `/apis/batch/v1/namespaces/${fleet.namespace}/jobs/${name}`;

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    await someone.create(roles, { metadata: { name: user }, rules: [core] });
    await someone.create(bindings, {
      metadata: { name: user },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    });
    fleet = await startTestFleet({
      clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user, groups: [] })],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/one.yaml': configMap(namespace, 'one'),
        'apps/web/two.yaml': configMap(namespace, 'two'),
        'apps/web/job.yaml': job(namespace, 'migrate'),
        'apps/web/job-b.yaml': job(namespace, 'stays'),
      }),
    });
  });

  after(async () => {
    await fleet.close();
    await someone.delete(`${bindings}/${user}`);
    await someone.delete(`${roles}/${user}`);
    await someone.close();
  });

  it('has what it may not touch reported as forbidden, and all else done', async () => {
    await eventually(async () => {
      const report = await fleet.sync();
      return report.clusters[0]?.changes.some(({ ref }) => ref.name === 'one') === true ? true : undefined;
    }, 'the rights are in force');
    const report = await fleet.sync();
    const change = changeOf(report, 'migrate');
    if (change.action !== 'failed') throw new Error(`it is ${change.action}`);
    expect(change.error.code).to.equal('Forbidden');
    expect(change.error.subject.origin).to.include({ file: 'apps/web/job.yaml' });
    expect(report.clusters[0]?.state).to.equal('reachable');
    expect(await someone.get(configMapPath(fleet.namespace, 'one'))).to.not.equal(undefined);
  });

  it('can apply, and change, what it may read by name though not list', async () => {
    await allow(['get', 'create', 'patch', 'delete']);
    await eventually(async () => {
      await fleet.sync();
      return someone.get(jobIn('migrate'));
    }, 'the Job exists');
    const audit = await auditFromNow(controlPlane);
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal([]);
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
    const [error] = report.clusters[0]!.errors;
    expect(error?.code).to.equal('Forbidden');
    expect(error?.message).to.contain('Job.batch');
  });

  it('has a prune that it cannot see through reported as failed; all other prunes go on', async () => {
    await fleet.repository.commit({ 'apps/web/job.yaml': null, 'apps/web/two.yaml': null });
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal(['delete ConfigMap/two', 'failed Job/migrate']);
    expect(changeOf(report, 'migrate').reason).to.contain('Git no longer has it');
    expect(stringAt(await someone.get(jobIn('migrate')), 'metadata', 'uid')).to.be.a('string');
    const again = await fleet.sync();
    expect(actionsOf(again)).to.deep.equal(['failed Job/migrate']);
    expect(actionsOf((await fleet.once('plan')).changes)).to.deep.equal(['failed Job/migrate']);
  });

  it('has all of that said by the running engine, too, which prunes when the right is given', async () => {
    const engine = fleet.start();
    await engine.settled();
    expect(actionsOf(engine.report())).to.deep.equal(['failed Job/migrate']);
    expect(engine.status().clusters[0]).to.include({ state: 'reachable', failed: 1 });
    await allow(everything);
    await engine.stop();
    await eventually(async () => {
      await fleet.sync();
      return (await someone.get(jobIn('migrate'))) === undefined ? true : undefined;
    }, 'the Job is pruned');
    expect((await fleet.sync()).clusters[0]?.errors).to.deep.equal([]);
    expect(await someone.get(jobIn('stays'))).to.not.equal(undefined);
  });
});
