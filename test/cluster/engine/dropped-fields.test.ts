import { expect } from 'chai';

import { type JsonObject, valueAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  changeOf,
  countOf,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

describe('a field that Git drops', function () {
  this.timeout(120_000);
  let fleet: TestFleet;
  let someone: Outsider;

  const path = (): string => `/apis/apps/v1/namespaces/${fleet.namespace}/deployments/web`;
  const replicas = async (): Promise<unknown> => valueAt(await someone.get(path()), 'spec', 'replicas');
  const commit = (spec: JsonObject, annotations: JsonObject = {}): Promise<unknown> =>
    fleet.repository.commit({
      'apps/web/web.yaml': JSON.stringify({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: fleet.namespace, annotations },
        spec: {
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] },
          },
          ...spec,
        },
      }),
    });

  before(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
      }),
    });
    await commit({ replicas: 3, paused: true });
    await fleet.sync();
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('is shown by a plan with the default that it falls back to, before anything is written', async () => {
    await commit({});
    const reason =
      'Git no longer sets these fields, and they fall back to their defaults: .spec.replicas (1)';
    const planned = changeOf((await fleet.once('plan')).changes, 'web');
    expect(planned).to.include({ action: 'configure', reason });
    expect(planned.fields.map(({ path: at, desired, live }) => [at, desired, live])).to.have.deep.members([
      ['.spec.replicas', 1, 3],
      ['.spec.paused', undefined, true],
    ]);
    expect(await replicas()).to.equal(3);
    expect(changeOf(await fleet.sync(), 'web')).to.include({ action: 'configure', reason });
    expect(await replicas()).to.equal(1);
  });

  it('is written once', async () => {
    expect(countOf(await fleet.sync(), 'unchanged')).to.equal(2);
  });

  it('can be handed over instead: then the plan shows no change of it, and it stays', async () => {
    await commit({ replicas: 4 });
    await fleet.sync();
    await commit({}, { 'fleetwright.dev/ignore-fields': '.spec.replicas' });
    const planned = changeOf((await fleet.once('plan')).changes, 'web');
    expect(planned.reason).to.equal(undefined);
    expect(planned.fields.map(({ path: at }) => at)).not.to.include('.spec.replicas');
    await fleet.sync();
    expect(await replicas()).to.equal(4);
  });
});
