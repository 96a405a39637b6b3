import { expect } from 'chai';

import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { adoptAnnotation } from '../../../src/model/apply-set.ts';
import type { Change } from '../../../src/model/change.ts';
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
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const twice = [
  { name: 'REPEATED', value: 'a' },
  { name: 'REPEATED', value: 'b' },
];

interface DeploymentParts {
  readonly env?: JsonObject[];
  readonly metadata?: JsonObject;
}

function deployment(namespace: string, name: string, { env, metadata }: DeploymentParts): JsonObject {
  const container = { name: 'web', image: 'web:1', ...(env === undefined ? {} : { env }) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, ...metadata },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [container] } },
    },
  };
}

describe('items of a list that have the same key', () => {
  const user = uniqueNamespace('twice');
  let controlPlane: ControlPlane;
  let someone: Outsider;
  let fleet: TestFleet;

  const path = (name: string): string => `/apis/apps/v1/namespaces/${fleet.namespace}/deployments/${name}`;
  const envOf = (live: JsonObject | undefined): unknown =>
    valueAt(arrayAt(live, 'spec', 'template', 'spec', 'containers')[0], 'env');

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
      }),
    });
    await fleet.sync();
  });

  afterEach(() => fleet.close());
  after(() => someone.close());

  it('are an error of that object, which names the key; all others are applied', async () => {
    await fleet.repository.commit({
      'apps/web/repeated.yaml': JSON.stringify(deployment(fleet.namespace, 'repeated', { env: twice })),
      'apps/web/z-good.yaml': configMap(fleet.namespace, 'good'),
    });
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal(['create ConfigMap/good', 'failed Deployment/repeated']);
    const change: Change = changeOf(report, 'repeated');
    const error = change.action === 'failed' ? change.error : undefined;
    expect(error?.code).to.equal('ObjectInvalid');
    expect(error?.message).to.match(/env: duplicate entries for key \[name="REPEATED"\]/);
    expect(error?.subject.origin).to.include({ file: 'apps/web/repeated.yaml', line: 1 });
  });

  it('are not tried again and again by the running engine', async () => {
    await fleet.repository.commit({
      'apps/web/repeated.yaml': JSON.stringify(deployment(fleet.namespace, 'repeated', { env: twice })),
    });
    const audit = await auditFromNow(controlPlane);
    const engine = fleet.start();
    await eventually(() => (countOf(engine.report(), 'failed') === 1 ? true : undefined), 'it is refused');
    for (const turn of ['1', '2', '3']) {
      await fleet.repository.commit({
        'apps/web/turn.yaml': configMap(fleet.namespace, 'turn', { data: { turn } }),
      });
      await eventually(async () => {
        const live = await someone.get(configMapPath(fleet.namespace, 'turn'));
        return stringAt(live, 'data', 'turn') === turn ? true : undefined;
      }, `turn ${turn} is applied`);
    }
    const tries = writesBy(await audit.events(), user).filter(({ name }) => name === 'repeated');
    expect(tries.map(({ verb, status }) => `${verb} ${status}`)).to.deep.equal(['patch 500']);
  });

  it('in a live object keep neither a label from it, nor Git from putting it right', async () => {
    await someone.create(
      `/apis/apps/v1/namespaces/${fleet.namespace}/deployments`,
      deployment(fleet.namespace, 'legacy', { env: twice }),
    );
    const metadata = { annotations: { [adoptAnnotation]: 'true' }, labels: { team: 'shop' } };
    const inGit = async (parts: DeploymentParts = {}): Promise<void> => {
      const object = deployment(fleet.namespace, 'legacy', { metadata, ...parts });
      await fleet.repository.commit({ 'apps/web/legacy.yaml': JSON.stringify(object) });
    };
    await inGit();
    expect(actionsOf(await fleet.sync())).to.deep.equal(['configure Deployment/legacy']);
    const labelled = await someone.get(path('legacy'));
    expect(stringAt(labelled, 'metadata', 'labels', 'team')).to.equal('shop');
    expect(envOf(labelled)).to.deep.equal(twice);
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    await inGit({ env: [{ name: 'REPEATED', value: 'c' }] });
    expect(actionsOf(await fleet.sync())).to.deep.equal(['configure Deployment/legacy']);
    expect(envOf(await someone.get(path('legacy')))).to.deep.equal([{ name: 'REPEATED', value: 'c' }]);
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
  });
});
