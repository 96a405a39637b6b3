import { expect } from 'chai';
import type { KubeClient, KubeRequest } from '../../../src/kube/kube-client.ts';
import { partOfLabel } from '../../../src/model/apply-set.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { ownershipOf } from '../../../src/model/managed-fields.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { apply, configMap, connectTo, createNamespace, deadline } from '../kube/kube-fixture.ts';
import { names, partOf, type Watched, watch } from './observe-fixture.ts';

/** Each row of the table of docs/observe.md: what somebody else does, and how our watch tells it. */
describe('an owned object that somebody else touches', () => {
  let client: KubeClient;
  let namespace: string;
  let watched: Watched;
  const applySetId = `applyset-${uniqueNamespace()}-v1`;

  before(async () => {
    const controlPlane = await sharedControlPlane();
    client = await connectTo(controlPlane.kubeconfigPath);
    namespace = await createNamespace(controlPlane);
    watched = await watch(client, ['v1/ConfigMap', 'apps/v1/Deployment'], { applySetId });
  });

  const refTo = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name });
  const about = (name: string) => (change: { ref: { name: string } }) => change.ref.name === name;
  const patch = (
    name: string,
    body: JsonObject,
    query: Record<string, string> = { fieldManager: 'kubectl-edit' },
  ) =>
    client.request({
      method: 'PATCH',
      path: `/api/v1/namespaces/${namespace}/configmaps/${name}`,
      query,
      body,
      contentType: 'application/merge-patch+json',
      signal: deadline(),
    } satisfies KubeRequest);

  /** Applies an object of ours and returns the fingerprint that the response gave: the baseline. */
  async function given(name: string, data: JsonObject = { a: '1', b: '2' }): Promise<string> {
    const appeared = watched.next(`${name} appears`, about(name));
    const { object } = await apply(client, partOf(applySetId, configMap(namespace, name, data)));
    expect((await appeared).after?.ownership).to.equal(ownershipOf(object));
    return ownershipOf(object);
  }

  it('shows our own write with the very fingerprint that its response had', async () => {
    await given('own');
    expect(watched.observer.get(refTo('own'))).to.include({
      additions: '',
      deleting: false,
      pruneDisabled: false,
    });
  });

  it('loses our claim when a value is edited, and shows the key that was added', async () => {
    const baseline = await given('edited');
    const edited = watched.next('edit', about('edited'));
    await patch('edited', { data: { a: 'other', x: 'new' } });
    const { before, after } = await edited;
    expect(before).to.include({ ownership: baseline, additions: '' });
    expect(after?.ownership).to.not.equal(baseline);
    expect(after?.additions).to.not.equal('');
  });

  it('loses our claim when a key is deleted', async () => {
    const baseline = await given('cut');
    const cut = watched.next('key deleted', about('cut'));
    await patch('cut', { data: { b: null } });
    expect((await cut).after)
      .to.include({ additions: '' })
      .and.to.not.include({ ownership: baseline });
  });

  it('stays without our claim when a value is edited back', async () => {
    const baseline = await given('back');
    const edited = watched.next('edit', about('back'));
    await patch('back', { data: { a: 'other' } });
    await edited;
    await patch('back', { data: { a: '1' } });
    await given('after-back');
    expect(watched.observer.get(refTo('back'))?.ownership).to.not.equal(baseline);
  });

  it('is gone from our set when its label is removed', async () => {
    await given('unlabelled');
    const gone = watched.next('label removed', about('unlabelled'));
    await patch('unlabelled', { metadata: { labels: { [partOfLabel]: null } } });
    expect(await gone)
      .to.have.property('before')
      .and.not.have.property('after');
    expect(names(watched.observer)).to.not.include(`ConfigMap/unlabelled in ${namespace}`);
  });

  it('is gone when it is deleted', async () => {
    await given('deleted');
    const gone = watched.next('deleted', about('deleted'));
    await client.request({
      method: 'DELETE',
      path: `/api/v1/namespaces/${namespace}/configmaps/deleted`,
      signal: deadline(),
    });
    expect(await gone).to.not.have.property('after');
    expect(watched.observer.get(refTo('deleted'))).to.equal(undefined);
  });

  it('has no claim of ours when its managedFields are cleared', async () => {
    await given('cleared');
    const cleared = watched.next('cleared', about('cleared'));
    await patch('cleared', { metadata: { managedFields: [{}] } });
    expect((await cleared).after?.ownership).to.equal('');
  });

  it('has another fingerprint when somebody applies in our name', async () => {
    const baseline = await given('forged');
    const forged = watched.next('forged', about('forged'));
    // Times in managedFields count whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await apply(client, partOf(applySetId, configMap(namespace, 'forged', { a: 'forged', b: '2' })));
    expect((await forged).after?.ownership).to.not.equal(baseline);
  });

  it('tells a scaled Deployment, and keeps quiet about its status', async () => {
    const deployment: JsonObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace, name: 'scaled' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'scaled' } },
        template: {
          metadata: { labels: { app: 'scaled' } },
          spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] },
        },
      },
    };
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/scaled`;
    const appeared = watched.next('deployment appears', about('scaled'));
    const { object } = await apply(client, partOf(applySetId, deployment));
    await appeared;
    const quiet = watched.changes.length;
    for (const observedGeneration of [7, 8, 9]) {
      await client.request({
        method: 'PATCH',
        path: `${path}/status`,
        body: { status: { observedGeneration } },
        contentType: 'application/merge-patch+json',
        signal: deadline(),
      });
    }
    const scaled = watched.next('scaled', about('scaled'));
    await client.request({
      method: 'PATCH',
      path: `${path}/scale`,
      query: { fieldManager: 'kubectl-scale' },
      body: { spec: { replicas: 5 } },
      contentType: 'application/merge-patch+json',
      signal: deadline(),
    });
    expect((await scaled).before?.ownership).to.equal(ownershipOf(object));
    expect(watched.changes.slice(quiet).filter(about('scaled'))).to.have.length(1);
  });

  it('is told as being deleted while a finalizer holds it', async () => {
    await given('held');
    const finalized = { metadata: { finalizers: ['example.com/hold'] } };
    await patch('held', finalized);
    const deleting = watched.next('deleting', (change) => change.after?.deleting === true);
    await client.request({
      method: 'DELETE',
      path: `/api/v1/namespaces/${namespace}/configmaps/held`,
      signal: deadline(),
    });
    expect((await deleting).after?.ref.name).to.equal('held');
    const gone = watched.next('gone', about('held'));
    await patch('held', { metadata: { finalizers: null } });
    expect(await gone).to.not.have.property('after');
  });

  it('is not seen at all when it belongs to another set', async () => {
    await apply(client, partOf('applyset-another-v1', configMap(namespace, 'foreign')));
    await given('after-foreign');
    expect(watched.changes.some(about('foreign'))).to.equal(false);
  });
});
