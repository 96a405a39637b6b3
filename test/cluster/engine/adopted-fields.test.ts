import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect } from 'chai';

import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { arrayAt, type JsonObject, stringAt, valueAt } from '../../../src/model/json.ts';
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
  driftOf,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';
import { renderTools } from '../../harness/render-tools.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

describe('fields of an object that was applied in the old way before', function () {
  this.timeout(300_000);
  const user = uniqueNamespace('adopter');
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;

  const live = (name: string): Promise<JsonObject | undefined> =>
    someone.get(configMapPath(fleet.namespace, name));
  const data = async (name: string): Promise<unknown> => valueAt(await live(name), 'data');
  const managers = async (name: string): Promise<string[]> =>
    arrayAt(await live(name), 'metadata', 'managedFields').map((entry) => stringAt(entry, 'manager') ?? '');
  const manifest = (name: string, content: JsonObject): string =>
    configMap(fleet.namespace, name, { data: content });
  const commit = (name: string, content: JsonObject): Promise<unknown> =>
    fleet.repository.commit({ [`apps/web/${name}.yaml`]: manifest(name, content) });
  const kubectlApply = async (text: string, ...flags: readonly string[]): Promise<void> => {
    const { kubectl } = await renderTools();
    const child = spawn(
      kubectl,
      ['--kubeconfig', controlPlane.kubeconfigPath, 'apply', '--validate=false', ...flags, '-f', '-'],
      { stdio: ['pipe', 'ignore', 'inherit'] },
    );
    child.stdin.end(text);
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).to.equal(0);
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
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('go away when Git drops them', async () => {
    await kubectlApply(manifest('old', { a: '1', b: '2' }));
    expect(await managers('old')).to.deep.equal(['kubectl-client-side-apply']);
    await commit('old', { a: '1', b: '2' });
    expect(changeOf(await fleet.sync(), 'old')).to.deep.include({
      action: 'configure',
      reason: 'adopted: it existed and belonged to nobody',
    });
    expect(await managers('old')).to.deep.equal(['fleetwright']);
    expect(valueAt(await live('old'), 'metadata', 'annotations', lastApplied)).to.equal(undefined);
    await commit('old', { a: '1' });
    await fleet.sync();
    expect(await data('old')).to.deep.equal({ a: '1' });
  });

  it('are written no second time', async () => {
    const audit = await auditFromNow(controlPlane);
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
    await fleet.forget();
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
    expect(writesBy(await audit.events(), user)).to.deep.equal([]);
  });

  it('become ours alone by the next sync where the adoption was cut off halfway', async () => {
    await kubectlApply(manifest('half', { a: '1', b: '2' }));
    await commit('half', { a: '1', b: '2' });
    await fleet.sync();
    // As the first of the two writes of an adoption leaves it: both own everything.
    await kubectlApply(manifest('half', { a: '1', b: '2' }));
    expect(await managers('half')).to.have.members(['fleetwright', 'kubectl-client-side-apply']);
    await fleet.forget();
    expect(changeOf(await fleet.sync(), 'half')).to.deep.include({
      action: 'configure',
      reason: 'fields of ours were also those of kubectl-client-side-apply',
    });
    expect(await managers('half')).to.deep.equal(['fleetwright']);
    await commit('half', { b: '2' });
    await fleet.sync();
    expect(await data('half')).to.deep.equal({ b: '2' });
  });

  it('stay and are reported where Git never had them', async () => {
    await kubectlApply(manifest('more', { a: '1', extra: 'theirs' }));
    await commit('more', { a: '1' });
    expect(changeOf(await fleet.sync(), 'more').action).to.equal('configure');
    expect(await data('more')).to.deep.equal({ a: '1', extra: 'theirs' });
    const found = driftOf((await fleet.once('drift')).drift, 'more');
    expect(found).to.include({ action: 'reported' });
    expect(found?.fields.map(({ path }) => path)).to.deep.equal(['.data.extra']);
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
  });

  it('go away, too, where nothing told who had set them', async () => {
    await kubectlApply(manifest('unknown', { a: '1', b: '2' }));
    await someone.patch(configMapPath(fleet.namespace, 'unknown'), { metadata: { managedFields: [{}] } });
    await commit('unknown', { a: '1', b: '2' });
    await fleet.sync();
    expect(await managers('unknown')).to.deep.equal(['fleetwright']);
    await commit('unknown', { a: '1' });
    await fleet.sync();
    expect(await data('unknown')).to.deep.equal({ a: '1' });
  });

  it('are no longer those of the old way where kubectl had gone over to the new one', async () => {
    await kubectlApply(manifest('moved', { a: '1', b: '2' }));
    await kubectlApply(manifest('moved', { a: '1', b: '2' }), '--server-side', '--field-manager=kubectl');
    await commit('moved', { a: '1', b: '2' });
    await fleet.sync();
    // The second is a manager like any other, and shares what it applied.
    expect(await managers('moved')).to.have.members(['fleetwright', 'kubectl']);
  });

  it('stay where others own them, too, and the change says so', async () => {
    await commit('shared', { a: '1', b: '2' });
    await fleet.sync();
    await kubectlApply(manifest('shared', { b: '2' }), '--server-side', '--field-manager=team');
    await commit('shared', { a: '1' });
    const reason =
      'Git no longer sets these fields, but they stay, since others own them, too: .data.b (team)';
    expect(changeOf((await fleet.once('plan')).changes, 'shared')).to.include({
      action: 'configure',
      reason,
    });
    expect(changeOf(await fleet.sync(), 'shared')).to.include({ action: 'configure', reason });
    expect(await data('shared')).to.deep.equal({ a: '1', b: '2' });
  });
});
