import { expect } from 'chai';

import { type GitServer, startGitServer } from '../../../src/local/git-server.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { stringAt } from '../../../src/model/json.ts';
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

const manifests = (namespace: string, color: string): string => `
{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: ${namespace}}, data: {color: ${color}}}
`;

describe('a Git server that is gone', () => {
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let engine: TestEngine;
  let someone: Outsider;
  let returned: GitServer | undefined;
  const user = 'fleetwright-without-git';

  const path = (): string => `/api/v1/namespaces/${fleet.namespace}/configmaps/settings`;
  const color = async (): Promise<string | undefined> => stringAt(await someone.get(path()), 'data', 'color');
  let revision: string;

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    const kubeconfigPath = await controlPlane.issueClient(user, ['system:masters'], 3_600_000);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: { kubeconfigPath } }],
      files: (namespace) => ({ 'clusters/tokyo/all.yaml': manifests(namespace, 'blue') }),
    });
    engine = fleet.start();
    await engine.settled();
    revision = engine.status().revision;
  });

  after(async () => {
    await fleet.close();
    await returned?.close();
    await someone.close();
  });

  it('is told by status and report, with the last good revision in force', async () => {
    await fleet.gitServer.close();
    const error = await eventually(() => engine.status().lastFetch?.error, 'status tells');
    expect(error.code).to.equal('GitUnavailable');
    expect(engine.status().revision).to.equal(revision);
    expect(engine.drift().errors.map(({ code }) => code)).to.deep.equal(['GitUnavailable']);
    expect(engine.report().clusters.map(({ state, revision: at }) => ({ state, at }))).to.deep.equal([
      { state: 'reachable', at: revision },
    ]);
  });

  it('deletes nothing, and does not end the correction of drift', async () => {
    const audit = await auditFromNow(controlPlane);
    await someone.patch(path(), { data: { color: 'red' } });
    await eventually(async () => ((await color()) === 'blue' ? true : undefined), 'blue again');
    await eventually(
      () => (driftOf(engine.drift(), 'settings')?.action === 'corrected' ? true : undefined),
      'it is listed',
    );
    const writes = writesBy(await audit.events(), user).map(({ verb, name }) => `${verb} ${name}`);
    expect(writes).to.deep.equal(['patch settings']);
  });

  it('fails a sync of one moment without a write', async () => {
    const audit = await auditFromNow(controlPlane);
    const outcome = await fleet.sync().catch((error: unknown) => error);
    expect(outcome).to.have.property('code', 'GitUnavailable');
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
  });

  it('is followed again by itself when it is back', async () => {
    const { root, port } = fleet.gitServer;
    returned = await startGitServer({ root, port });
    const commit = await fleet.repository.commit({
      'clusters/tokyo/all.yaml': manifests(fleet.namespace, 'green'),
    });
    await eventually(
      async () => ((await color()) === 'green' ? true : undefined),
      'the commit is there',
      30_000,
    );
    expect(engine.status().revision).to.equal(commit);
    expect(engine.status().lastFetch).not.to.have.property('error');
    expect(engine.drift().errors).to.deep.equal([]);
  });
});
