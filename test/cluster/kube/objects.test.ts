import { expect } from 'chai';
import type { ResourceInfo } from '../../../src/kube/discovery.ts';
import {
  applyObject,
  deleteObject,
  getMetadata,
  getObject,
  listMetadata,
} from '../../../src/kube/objects.ts';
import type { KubeClient } from '../../../src/kube/kube-client.ts';
import { objectAt, stringAt, valueAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, connectTo, createNamespace, deadline, errorOf } from './kube-fixture.ts';

const configMaps: ResourceInfo = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs: [],
};

describe('objects of an API server', () => {
  let client: KubeClient;
  let namespace: string;
  const refOf = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name });
  const applied = { force: true, dryRun: false };

  before(async () => {
    const controlPlane = await sharedControlPlane();
    client = await connectTo(controlPlane.kubeconfigPath);
    namespace = await createNamespace(controlPlane);
  });

  it('are created by an apply, and left as they are by a second', async () => {
    const object = configMap(namespace, 'twice');
    const first = await applyObject(client, configMaps, object, { ...applied, signal: deadline() });
    const second = await applyObject(client, configMaps, object, { ...applied, signal: deadline() });
    expect([first.created, second.created]).to.deep.equal([true, false]);
    expect(second.object).to.deep.equal(first.object);
  });

  it('are not written by a dry run', async () => {
    const dry = await applyObject(client, configMaps, configMap(namespace, 'dry'), {
      force: true,
      dryRun: true,
      signal: deadline(),
    });
    expect(dry.created).to.equal(true);
    expect(await getObject(client, configMaps, refOf('dry'), deadline())).to.equal(undefined);
  });

  it('keep every character that YAML would fold or refuse', async () => {
    const data = {
      text: 'nel\u0085 ls\u2028 ps\u2029 del\u007f c1\u009f bom\ufeff emoji😀 tab\t esc\u001b quote" back\\slash\r\n',
    };
    const { object } = await applyObject(client, configMaps, configMap(namespace, 'characters', data), {
      ...applied,
      signal: deadline(),
    });
    expect(object['data']).to.deep.equal(data);
    const live = await getObject(client, configMaps, refOf('characters'), deadline());
    expect(live?.['data']).to.deep.equal(data);
  });

  it('are absent where they or their namespace do not exist', async () => {
    expect(await getObject(client, configMaps, refOf('nobody'), deadline())).to.equal(undefined);
    expect(
      await getObject(client, configMaps, { ...refOf('nobody'), namespace: 'nowhere' }, deadline()),
    ).to.equal(undefined);
    expect(await getMetadata(client, configMaps, refOf('nobody'), deadline())).to.equal(undefined);
  });

  it('are not absent where the server does not serve their kind', async () => {
    const widgets: ResourceInfo = {
      ...configMaps,
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      plural: 'widgets',
    };
    const unserved = await errorOf(getObject(client, widgets, refOf('any'), deadline()));
    expect(unserved.code).to.equal('KindUnknown');
    const misspelt = await errorOf(
      getObject(client, { ...configMaps, plural: 'confmaps' }, refOf('any'), deadline()),
    );
    expect(misspelt.code).to.equal('KindUnknown');
  });

  it('are read as metadata alone, with every manager', async () => {
    await applyObject(client, configMaps, configMap(namespace, 'slim'), { ...applied, signal: deadline() });
    const metadata = await getMetadata(client, configMaps, refOf('slim'), deadline());
    expect(metadata).to.include({ kind: 'PartialObjectMetadata' }).and.to.not.have.property('data');
    expect(valueAt(metadata, 'metadata', 'managedFields')).to.have.length(1);
  });

  it('are listed whole and by label', async () => {
    const labelled = (name: string) => ({
      ...configMap(namespace, name),
      metadata: { namespace, name, labels: { listed: 'yes' } },
    });
    await applyObject(client, configMaps, labelled('one'), { ...applied, signal: deadline() });
    await applyObject(client, configMaps, labelled('two'), { ...applied, signal: deadline() });
    const list = await listMetadata(client, configMaps, {
      labelSelector: 'listed=yes',
      namespace,
      signal: deadline(),
    });
    expect(list.items.map((item) => stringAt(item, 'metadata', 'name'))).to.have.members(['one', 'two']);
    expect(Number(list.resourceVersion)).to.be.greaterThan(0);
  });

  it('are deleted only under the uid that was meant', async () => {
    const { object } = await applyObject(client, configMaps, configMap(namespace, 'doomed'), {
      ...applied,
      signal: deadline(),
    });
    const uid = stringAt(objectAt(object, 'metadata'), 'uid') ?? '';
    const remove = (by: string) =>
      deleteObject(client, configMaps, refOf('doomed'), { uid: by, signal: deadline() });
    expect(await remove('another')).to.equal('replaced');
    expect(await remove(uid)).to.equal('deleted');
    expect(await remove(uid)).to.equal('gone');
  });
});
