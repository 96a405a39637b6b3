import { expect } from 'chai';

import { valueAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import { actionsOf, type Outsider, outsider, startTestFleet, type TestFleet } from '../../harness/fleet.ts';

const json = (value: unknown): string => JSON.stringify(value);

describe('items of a generator', () => {
  let fleet: TestFleet;
  let someone: Outsider;

  const tenants = (when: string) =>
    generatorFile('tenants', {
      each: { files: { path: 'tenants/*.json' } },
      when,
      source: { path: 'apps/tenant' },
      render: { type: 'template' },
      parameters: { size: 'small' },
      overrides: [
        {
          clusterSelector: {},
          when: 'item.tenant == "green"',
          patches: [
            {
              target: { kind: 'ConfigMap', name: 'gr*' },
              json: [
                { op: 'test', path: '/data/size', value: 'large' },
                { op: 'copy', from: '/data/size', path: '/data/constructor' },
              ],
            },
          ],
        },
      ],
    });
  const dataOf = async (name: string): Promise<unknown> =>
    valueAt(await someone.get(configMapPath(fleet.namespace, name)), 'data');

  before(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      labelGraceMs: 0,
      files: (namespace) => ({
        'generators/tenants.yaml': tenants('item.tenant != "red"'),
        'generators/base.yaml': generatorFile('base'),
        'apps/base/namespace.yaml': namespaceFile(namespace),
        'apps/tenant/a.yaml': configMap(namespace, '{{ item.tenant }}', {
          data: { size: '{{ params.size }}' },
        }),
        'tenants/blue.json': json({ tenant: 'blue' }),
        'tenants/more.json': json([{ tenant: 'green', size: 'large' }, { tenant: 'red' }]),
      }),
    });
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('each bring their objects, but those for which the condition is false', async () => {
    expect(actionsOf(await fleet.sync())).to.deep.equal([
      'create ConfigMap/blue',
      'create ConfigMap/green',
      `create Namespace/${fleet.namespace}`,
    ]);
    expect(await dataOf('blue')).to.deep.equal({ size: 'small' });
    expect(await dataOf('green')).to.deep.equal({ size: 'large', constructor: 'large' });
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
  });

  it('take with them what they brought', async () => {
    await fleet.repository.commit({ 'tenants/blue.json': json({ tenant: 'gold' }) });
    expect(actionsOf(await fleet.sync())).to.deep.equal(['create ConfigMap/gold', 'delete ConfigMap/blue']);
  });

  it('take nothing with them while a file of items is broken, or the condition fails', async () => {
    await fleet.repository.commit({ 'tenants/more.json': '[{' });
    expect(actionsOf(await fleet.sync())).to.deep.equal(['skipped ConfigMap/green']);
    await fleet.repository.commit({
      'tenants/more.json': json([{ tenant: 'green', size: 'large' }]),
      'generators/tenants.yaml': tenants('item.nope == 1'),
    });
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal(['skipped ConfigMap/gold', 'skipped ConfigMap/green']);
    const messages = report.clusters.flatMap(({ errors }) => errors.map(({ message }) => message));
    expect(messages.join('\n')).to.match(/when: there is no nope/);
    expect(await dataOf('green')).not.to.equal(undefined);
  });

  it('are all gone as when a selector matches no longer', async () => {
    await fleet.repository.commit({ 'generators/tenants.yaml': tenants('false') });
    expect(actionsOf(await fleet.sync())).to.deep.equal(['delete ConfigMap/gold', 'delete ConfigMap/green']);
  });
});
