import { expect } from 'chai';

import { stringAt, valueAt } from '../../../src/model/json.ts';
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
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';

describe('a repository in trouble, with the engine running', () => {
  const user = uniqueNamespace('follower');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let engine: TestEngine;
  let someone: Outsider;

  const colour = async (): Promise<unknown> =>
    valueAt(await someone.get(configMapPath(fleet.namespace, 'a')), 'data', 'colour');
  const turns = (to: string): Promise<true> =>
    eventually(async () => ((await colour()) === to ? true : undefined), `the colour turns ${to}`);
  const red = (): Record<string, string> => ({
    'generators/web.yaml': generatorFile('web'),
    'apps/web/namespace.yaml': namespaceFile(fleet.namespace),
    'apps/web/a.yaml': configMap(fleet.namespace, 'a', { data: { colour: 'red' } }),
  });
  const deletes = async (audit: Awaited<ReturnType<typeof auditFromNow>>): Promise<string[]> =>
    writesBy(await audit.events(), user)
      .filter(({ verb }) => verb === 'delete')
      .map(({ name }) => name);

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
  });

  beforeEach(async () => {
    fleet = await startTestFleet({ clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user })] });
    engine = fleet.start();
  });

  afterEach(() => fleet.close());
  after(() => someone.close());

  it('that is empty is waited for; the first push is applied', async () => {
    await eventually(() => (engine.log().includes('no commit yet') ? true : undefined), 'it is said');
    expect(engine.report().errors).to.deep.equal([]);
    await fleet.repository.commit(red());
    await turns('red');
  });

  it('that is rewritten by force is followed to an older and to another commit', async () => {
    const first = await fleet.repository.commit(red());
    await fleet.repository.commit({
      'apps/web/a.yaml': configMap(fleet.namespace, 'a', { data: { colour: 'green' } }),
      'apps/web/b.yaml': configMap(fleet.namespace, 'b'),
    });
    await turns('green');
    const uid = stringAt(await someone.get(configMapPath(fleet.namespace, 'a')), 'metadata', 'uid');
    const audit = await auditFromNow(controlPlane);
    await fleet.repository.git('push', '--quiet', '--force', 'origin', `${first}:main`);
    await turns('red');
    await eventually(
      async () => ((await deletes(audit)).length > 0 ? true : undefined),
      'what only the younger commit had is deleted',
    );
    expect(await deletes(audit)).to.deep.equal(['b']);
    await fleet.repository.git('checkout', '--quiet', '--orphan', 'another');
    await fleet.repository.write({
      'apps/web/a.yaml': configMap(fleet.namespace, 'a', { data: { colour: 'blue' } }),
      'apps/web/b.yaml': null,
    });
    await fleet.repository.git('add', '--all');
    await fleet.repository.git('commit', '--quiet', '-m', 'another history');
    await fleet.repository.git('push', '--quiet', '--force', 'origin', 'HEAD:main');
    await turns('blue');
    expect(await deletes(audit)).to.deep.equal(['b']);
    expect(stringAt(await someone.get(configMapPath(fleet.namespace, 'a')), 'metadata', 'uid')).to.equal(uid);
  });

  it('that loses its branch deletes nothing, still corrects drift, and recovers', async () => {
    await fleet.repository.commit(red());
    await turns('red');
    const audit = await auditFromNow(controlPlane);
    await fleet.repository.git('push', '--quiet', 'origin', 'HEAD:refs/heads/spare');
    await fleet.repository.git('--git-dir', fleet.repository.bareDir, 'update-ref', '-d', 'refs/heads/main');
    const error = await eventually(() => engine.report().errors[0], 'the loss is reported');
    expect(error.code).to.equal('GitRefNotFound');
    await someone.patch(configMapPath(fleet.namespace, 'a'), { data: { colour: 'grey' } });
    await turns('red');
    expect(await deletes(audit)).to.deep.equal([]);
    await fleet.repository.write({
      'apps/web/a.yaml': configMap(fleet.namespace, 'a', { data: { colour: 'green' } }),
    });
    await fleet.repository.git('commit', '--quiet', '-am', 'back');
    await fleet.repository.git('push', '--quiet', 'origin', 'HEAD:main');
    await turns('green');
    await eventually(() => (engine.report().errors.length === 0 ? true : undefined), 'the loss is over');
    expect(await deletes(audit)).to.deep.equal([]);
  });

  it('that loses all its files holds what it brought', async () => {
    await fleet.repository.commit(red());
    await turns('red');
    const audit = await auditFromNow(controlPlane);
    const revision = await fleet.repository.commit({ 'apps/web': null, 'apps/README.md': 'moved away' });
    await eventually(
      () => (engine.report().clusters[0]?.errors.length === 1 ? true : undefined),
      'the fault is reported',
    );
    expect(engine.report().clusters[0]?.errors[0]?.code).to.equal('RenderFailed');
    expect(engine.report().clusters[0]?.revision).to.equal(revision);
    expect(await deletes(audit)).to.deep.equal([]);
    expect(await colour()).to.equal('red');
  });

  it('whose folders hold links gives what they lead to, and reports and prunes none that leads nowhere', async () => {
    await fleet.repository.commit({
      ...red(),
      'common/shared.yaml': configMap(fleet.namespace, 'shared'),
      'clusters/tokyo/common': { linkTo: '../../common' },
    });
    await eventually(() => someone.get(configMapPath(fleet.namespace, 'shared')), 'what the link leads to');
    const audit = await auditFromNow(controlPlane);
    await fleet.repository.commit({
      'clusters/tokyo/common': { linkTo: '../../nowhere' },
      'apps/web/loop': { linkTo: '.' },
      'apps/web/a.yaml': configMap(fleet.namespace, 'a', { data: { colour: 'green' } }),
    });
    await turns('green');
    const files = await eventually(() => {
      const found = engine.report().clusters[0]?.errors.map(({ subject }) => subject.origin?.file);
      return found !== undefined && found.length > 0 ? found : undefined;
    }, 'the links are reported');
    expect(files).to.have.members(['apps/web/loop', 'clusters/tokyo/common']);
    expect(await deletes(audit)).to.deep.equal([]);
    await fleet.repository.commit({
      'clusters/tokyo/common': { linkTo: '../../common' },
      'apps/web/loop': null,
    });
    await eventually(
      () => (engine.report().clusters[0]?.errors.length === 0 ? true : undefined),
      'all is well',
    );
    expect(actionsOf(engine.report())).to.deep.equal([]);
    expect(await deletes(audit)).to.deep.equal([]);
  });
});
