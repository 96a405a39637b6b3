import { expect } from 'chai';
import { discover } from '../../../src/kube/discovery.ts';
import type { KubeClient } from '../../../src/kube/kube-client.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { apply, configMap, connectTo, createNamespace, deadline } from '../kube/kube-fixture.ts';
import { describeState, eventually, names, partOf, resourcesOf, watch } from './observe-fixture.ts';

describe('a kind whose definition comes and goes', () => {
  let client: KubeClient;
  let namespace: string;
  const group = `${uniqueNamespace('g')}.example.com`;
  const kind = 'Widget';
  const groupKind = `${kind}.${group}`;

  before(async () => {
    const controlPlane = await sharedControlPlane();
    client = await connectTo(controlPlane.kubeconfigPath);
    namespace = await createNamespace(controlPlane);
  });

  const definition = (plural: string): JsonObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  const widget = (name: string): JsonObject => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { namespace, name },
    spec: { size: 1 },
  });
  async function define(plural: string): Promise<void> {
    await apply(client, definition(plural));
    for (;;) {
      const found = (await discover(client, deadline())).findGroupKind(groupKind);
      if (found?.plural === plural) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it('is followed from its first object over its removal to its return under another plural', async () => {
    const applySetId = `applyset-${uniqueNamespace()}-v1`;
    await define('widgets');
    const { observer } = await watch(client, ['v1/ConfigMap', `${group}/v1/${kind}`], { applySetId });
    await apply(client, partOf(applySetId, widget('first')));
    await apply(client, partOf(applySetId, configMap(namespace, 'beside')));
    await eventually('both', () => names(observer).length === 2);

    await client.request({
      method: 'DELETE',
      path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${group}`,
      signal: deadline(),
    });
    await eventually(
      'the end of the kind',
      () => describeState(observer.kindState(groupKind)) === 'failed KindUnknown',
    );
    expect(describeState(observer.kindState('ConfigMap'))).to.equal('synced');
    expect(names(observer)).to.deep.equal([`ConfigMap/beside in ${namespace}`]);

    await define('gadgets');
    observer.watch(await resourcesOf(client, ['v1/ConfigMap', `${group}/v1/${kind}`]));
    await observer.whenSettled(deadline());
    await apply(client, partOf(applySetId, widget('second')));
    await eventually('the second', () => names(observer).includes(`Widget/second in ${namespace}`));
    expect(describeState(observer.kindState(groupKind))).to.equal('synced');
  });

  it('is forgotten when nobody asks for it any more, without a word about its objects', async () => {
    const applySetId = `applyset-${uniqueNamespace()}-v1`;
    await apply(client, partOf(applySetId, configMap(namespace, 'forgotten')));
    const { observer, changes } = await watch(client, ['v1/ConfigMap'], { applySetId });
    expect(names(observer)).to.have.length(1);
    observer.watch([]);
    expect(names(observer)).to.deep.equal([]);
    expect(describeState(observer.kindState('ConfigMap'))).to.equal('failed KindUnknown');
    expect(changes).to.have.length(1);
  });
});
