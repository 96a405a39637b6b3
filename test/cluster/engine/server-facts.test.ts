import { expect } from 'chai';

import { type JsonObject, stringAt } from '../../../src/model/json.ts';
import { openStateStore } from '../../../src/store/state-store.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { definitionFile } from '../../harness/definition-file.ts';
import { generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  actionsOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A widget where the cluster serves widgets, and a ConfigMap in its place where it does not. */
const widgetOrConfigMap = (group: string, namespace: string): string =>
  [
    `{% if cluster.apiVersions contains "${group}/v1/Widget" %}`,
    `apiVersion: ${group}/v1`,
    'kind: Widget',
    '{% else %}',
    'apiVersion: v1',
    'kind: ConfigMap',
    '{% endif %}',
    `metadata: {name: either, namespace: ${namespace}}`,
  ].join('\n');

const versions = (namespace: string): string =>
  [
    'apiVersion: v1',
    'kind: ConfigMap',
    `metadata: {name: versions, namespace: ${namespace}}`,
    'data: {version: "{{ cluster.version }}", kubeVersion: "{{ cluster.kubeVersion }}"}',
  ].join('\n');

function parsed(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

describe('what a cluster’s server is and serves', () => {
  let group: string;
  let fleet: TestFleet;
  let someone: Outsider;

  before(async () => {
    someone = await outsider(await sharedControlPlane());
  });

  beforeEach(async () => {
    group = `${uniqueNamespace('facts')}.example.com`;
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: await sharedControlPlane() }],
      files: (namespace) => ({
        'generators/base.yaml': generatorFile('base'),
        'apps/base/namespace.yaml': namespaceFile(namespace),
        'generators/web.yaml': generatorFile('web', { render: { type: 'template' } }),
        'apps/web/versions.yaml': versions(namespace),
        'apps/web/either.yaml': widgetOrConfigMap(group, namespace),
      }),
    });
  });

  afterEach(() => fleet.close());
  after(() => someone.close());

  const widget = (): string => `/apis/${group}/v1/namespaces/${fleet.namespace}/widgets/either`;
  const configMap = (name: string): string => `/api/v1/namespaces/${fleet.namespace}/configmaps/${name}`;
  const isThere = async (path: string): Promise<true | undefined> =>
    (await someone.get(path).catch(() => undefined)) === undefined ? undefined : true;

  it('is asked before anything is planned or written, and lets one source serve old and new', async () => {
    const first = [
      'create ConfigMap/either',
      'create ConfigMap/versions',
      `create Namespace/${fleet.namespace}`,
    ];
    const plan = (await fleet.once('plan')).changes;
    expect(actionsOf(plan)).to.deep.equal(first);
    expect(plan.clusters[0]?.errors.map((error) => error.describe())).to.deep.equal([]);
    expect(actionsOf(await fleet.sync())).to.deep.equal(first);
    const live = await someone.get(configMap('versions'));
    const kubeVersion = stringAt(live, 'data', 'kubeVersion') ?? '';
    expect(kubeVersion).to.match(/^v1\.\d+\.\d+/);
    expect(kubeVersion.startsWith(`v${stringAt(live, 'data', 'version')}.`)).to.equal(true);
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    const store = openStateStore(fleet.settings.stateDir, { readOnly: true });
    expect(store.serverFacts('tokyo')).to.include({ kubeVersion });
    store.close();

    await someone.create(definitions, parsed(definitionFile(group)));
    await eventually(() => isThere(`/apis/${group}/v1`), 'widgets are served');
    expect(actionsOf(await fleet.sync())).to.deep.equal(['create Widget/either', 'delete ConfigMap/either']);
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    await someone.delete(`${definitions}/widgets.${group}`);
  });

  it('removes nothing when it is forgotten', async () => {
    await fleet.sync();
    await fleet.forget();
    expect(actionsOf((await fleet.once('plan')).changes)).to.deep.equal([]);
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    const engine = fleet.start();
    await engine.settled();
    expect(actionsOf(engine.report())).to.deep.equal([]);
    expect(engine.report().clusters[0]?.errors).to.deep.equal([]);
  });

  it('is followed while the engine runs, whoever changes it', async () => {
    const engine = fleet.start();
    await eventually(() => isThere(configMap('either')), 'the ConfigMap stands in');
    await engine.settled();
    await someone.create(definitions, parsed(definitionFile(group)));
    await eventually(() => isThere(widget()), 'the widget is there');
    await someone.delete(`${definitions}/widgets.${group}`);
    await eventually(() => isThere(configMap('either')), 'the ConfigMap stands in again');
    await engine.settled();
    expect(engine.report().clusters[0]?.errors).to.deep.equal([]);
  });

  it('is followed while the engine runs, with what it writes itself', async () => {
    const engine = fleet.start();
    await eventually(() => isThere(configMap('either')), 'the ConfigMap stands in');
    await fleet.repository.commit({ 'apps/base/definition.yaml': definitionFile(group) });
    await eventually(() => isThere(widget()), 'the widget is there without a restart');
    await eventually(
      async () => ((await isThere(configMap('either'))) === undefined ? true : undefined),
      'what stood in for it is gone',
    );
    await engine.settled();
    expect(engine.report().clusters[0]?.errors).to.deep.equal([]);
  });
});
