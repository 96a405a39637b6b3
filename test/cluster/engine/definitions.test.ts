import { expect } from 'chai';

import { stringAt } from '../../../src/model/json.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { definitionFile } from '../../harness/definition-file.ts';
import { generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  actionsOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const widget = (group: string, namespace: string): string =>
  JSON.stringify({
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    metadata: { name: 'first', namespace },
    spec: { size: 3 },
  });

describe('custom resources and their definitions', () => {
  let group: string;
  let fleet: TestFleet;
  let someone: Outsider;

  before(async () => {
    someone = await outsider(await sharedControlPlane());
  });

  beforeEach(async () => {
    group = `${uniqueNamespace('def')}.example.com`;
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: await sharedControlPlane() }],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
      }),
    });
  });

  afterEach(() => fleet.close());
  after(() => someone.close());

  const both = (plural: string): Record<string, string> => ({
    'apps/web/a-resource.yaml': widget(group, fleet.namespace),
    'apps/web/b-definition.yaml': definitionFile(group, plural),
  });
  const live = async (plural: string): Promise<string | undefined> => {
    const path = `/apis/${group}/v1/namespaces/${fleet.namespace}/${plural}/first`;
    return stringAt(await someone.get(path).catch(() => undefined), 'metadata', 'uid');
  };
  const synced = (engine: TestEngine, revision: string): Promise<true> =>
    eventually(() => {
      const [cluster] = engine.report().clusters;
      return cluster?.revision === revision && engine.engine.view().runners.length > 0 ? true : undefined;
    }, 'the revision is synced');

  it('converge in one pass when both come in one commit, the resource first', async () => {
    await fleet.repository.commit(both('widgets'));
    const plan = await fleet.once('plan');
    const expected = [
      `create CustomResourceDefinition/widgets.${group}`,
      `create Namespace/${fleet.namespace}`,
      'create Widget/first',
    ];
    expect(actionsOf(plan.changes)).to.deep.equal(expected);
    expect(actionsOf(await fleet.sync())).to.deep.equal(expected);
    expect(await live('widgets')).to.be.a('string');
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    await fleet.repository.commit({ 'apps/web/a-resource.yaml': null, 'apps/web/b-definition.yaml': null });
    expect(actionsOf(await fleet.sync())).to.deep.equal([
      `delete CustomResourceDefinition/widgets.${group}`,
      'delete Widget/first',
    ]);
  });

  it('converge without a restart when a definition goes and comes back with another plural', async () => {
    const engine = fleet.start();
    await engine.settled();
    await fleet.repository.commit(both('widgets'));
    await eventually(() => live('widgets'), 'the resource exists');
    await synced(
      engine,
      await fleet.repository.commit({ 'apps/web/a-resource.yaml': null, 'apps/web/b-definition.yaml': null }),
    );
    await eventually(
      async () => ((await someone.get(`${definitions}/widgets.${group}`)) === undefined ? true : undefined),
      'the definition is gone',
      30_000,
    );
    await fleet.repository.commit(both('wigs'));
    await eventually(() => live('wigs'), 'the resource exists under its new plural', 30_000);
    await eventually(
      () => (actionsOf(engine.report()).length === 0 ? true : undefined),
      'all is in sync',
      30_000,
    );
    await someone.delete(`/apis/${group}/v1/namespaces/${fleet.namespace}/wigs/first`);
    await eventually(() => live('wigs'), 'drift is still corrected', 30_000);
  });

  it('converge without a restart when others bring the definition, and change its plural', async () => {
    const engine = fleet.start();
    await engine.settled();
    await fleet.repository.commit({ 'apps/web/a-resource.yaml': widget(group, fleet.namespace) });
    await eventually(() => {
      const failed = engine.report().clusters[0]?.changes.find(({ action }) => action === 'failed');
      return failed?.action === 'failed' && failed.error.code === 'KindUnknown' ? true : undefined;
    }, 'the kind is unknown');
    const create = (plural: string) =>
      someone.create(definitions, JSON.parse(definitionFile(group, plural)) as never);
    await create('widgets');
    await eventually(() => live('widgets'), 'the resource exists');
    await someone.delete(`${definitions}/widgets.${group}`);
    await eventually(
      async () => ((await someone.get(`${definitions}/widgets.${group}`)) === undefined ? true : undefined),
      'the definition is gone',
      30_000,
    );
    await create('wigs');
    await eventually(() => live('wigs'), 'the resource exists under its new plural', 30_000);
    await eventually(
      () => (actionsOf(engine.report()).length === 0 ? true : undefined),
      'all is in sync',
      30_000,
    );
    await someone.delete(`${definitions}/wigs.${group}`);
  });
});
