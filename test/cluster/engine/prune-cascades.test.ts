import { expect } from 'chai';

import { pruneAnnotation } from '../../../src/model/apply-set.ts';
import type { Change } from '../../../src/model/change.ts';
import { type JsonObject, stringAt } from '../../../src/model/json.ts';
import type { ChangeReport } from '../../../src/model/report.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { configMap, configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  actionsOf,
  changeOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const group = `${uniqueNamespace('cascade')}.example.com`;

const definition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
      },
    ],
  },
});

const widget = (namespace: string, name: string): string =>
  JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name, namespace }, spec: {} });

describe('what would go with a Namespace or a definition', () => {
  let fleet: TestFleet;
  let someone: Outsider;

  const heldAs = (report: ChangeReport, name: string): Extract<Change, { action: 'held' }> => {
    const change = changeOf(report, name);
    if (change.action !== 'held') throw new Error(`${name} is ${change.action}: ${change.reason ?? ''}`);
    return change;
  };
  const isGone = (path: string): Promise<true> =>
    eventually(async () => ((await someone.get(path)) === undefined ? true : undefined), `${path} is gone`);

  before(async () => {
    someone = await outsider(await sharedControlPlane());
  });

  after(() => someone.close());

  describe('of a Namespace', () => {
    let path: string;

    beforeEach(async () => {
      fleet = await startTestFleet({
        clusters: [{ name: 'tokyo', controlPlane: await sharedControlPlane() }],
        files: (namespace) => ({
          'generators/web.yaml': generatorFile('web'),
          'apps/web/namespace.yaml': namespaceFile(namespace),
          'apps/web/one.yaml': configMap(namespace, 'one'),
          'apps/web/two.yaml': configMap('default', `${namespace}-two`),
        }),
      });
      path = `/api/v1/namespaces/${fleet.namespace}`;
      await fleet.sync();
    });

    afterEach(() => fleet.close());

    const dropped = { 'apps/web/namespace.yaml': null, 'apps/web/one.yaml': null };

    it('is nothing of others: it is deleted with all that is ours', async () => {
      await fleet.repository.commit(dropped);
      expect(actionsOf(await fleet.sync())).to.deep.equal([
        'delete ConfigMap/one',
        `delete Namespace/${fleet.namespace}`,
      ]);
      await isGone(path);
      expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    });

    it('is another’s object: the Namespace is held and names it, the rest is deleted', async () => {
      await someone.create(`${path}/configmaps`, { metadata: { name: 'precious' } });
      await fleet.repository.commit(dropped);
      const report = await fleet.sync();
      expect(actionsOf(report)).to.deep.equal(['delete ConfigMap/one', `held Namespace/${fleet.namespace}`]);
      const held = heldAs(report, fleet.namespace);
      expect(held.reason).to.contain('ConfigMap/precious');
      expect(await someone.get(`${path}/configmaps/precious`)).to.not.equal(undefined);
      fleet.approve(held.holdId);
      await someone.create(`${path}/configmaps`, { metadata: { name: 'unseen' } });
      const another = heldAs(await fleet.sync(), fleet.namespace);
      expect(another.holdId, 'an approval covers what was shown').to.not.equal(held.holdId);
      fleet.approve(another.holdId);
      expect(actionsOf(await fleet.sync())).to.deep.equal([`delete Namespace/${fleet.namespace}`]);
      await isGone(path);
    });

    it('is another’s object whose owner lives elsewhere: the Namespace is held', async () => {
      const role = await someone.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: fleet.namespace },
      });
      const owner = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        name: fleet.namespace,
        uid: stringAt(role, 'metadata', 'uid') ?? '',
      };
      await someone.create(`${path}/configmaps`, {
        metadata: { name: 'precious', ownerReferences: [owner] },
      });
      await fleet.repository.commit(dropped);
      expect(heldAs(await fleet.sync(), fleet.namespace).reason).to.contain('ConfigMap/precious');
    });

    it('is what Git still has: the Namespace is held', async () => {
      await fleet.repository.commit({ 'apps/web/namespace.yaml': null });
      const report = await fleet.sync();
      expect(actionsOf(report)).to.deep.equal([`held Namespace/${fleet.namespace}`]);
      expect(heldAs(report, fleet.namespace).reason).to.contain('ConfigMap/one');
    });

    it('is what opted out of pruning: the Namespace is held', async () => {
      await someone.patch(configMapPath(fleet.namespace, 'one'), {
        metadata: { annotations: { [pruneAnnotation]: 'disabled' } },
      });
      await fleet.repository.commit(dropped);
      const report = await fleet.sync();
      expect(actionsOf(report)).to.deep.equal([`held Namespace/${fleet.namespace}`, 'skipped ConfigMap/one']);
      expect(heldAs(report, fleet.namespace).reason).to.contain('ConfigMap/one');
    });

    it('is a hold of its own: approving the count alone does not take the Namespace', async () => {
      await someone.create(`${path}/configmaps`, { metadata: { name: 'precious' } });
      await fleet.repository.commit({ ...dropped, 'apps/web/two.yaml': null, 'apps/web/README.md': 'empty' });
      const first = await fleet.sync();
      const emptied = heldAs(first, fleet.namespace);
      expect(emptied.reason).to.contain('gives nothing');
      fleet.approve(emptied.holdId);
      const second = await fleet.sync();
      expect(actionsOf(second))
        .to.include(`held Namespace/${fleet.namespace}`)
        .and.include('delete ConfigMap/one');
      expect(heldAs(second, fleet.namespace).holdId).to.not.equal(emptied.holdId);
      expect(await someone.get(`${path}/configmaps/precious`)).to.not.equal(undefined);
    });
  });

  describe('of a definition', () => {
    beforeEach(async () => {
      fleet = await startTestFleet({
        clusters: [{ name: 'tokyo', controlPlane: await sharedControlPlane() }],
        files: (namespace) => ({
          'generators/web.yaml': generatorFile('web'),
          'apps/web/namespace.yaml': namespaceFile(namespace),
          'apps/web/widget.yaml': widget(namespace, 'ours'),
          'apps/web/definition.yaml': definition,
        }),
      });
      const report = await fleet.sync();
      expect(actionsOf(report)).to.have.length(3);
    });

    afterEach(() => fleet.close());

    const dropped = { 'apps/web/widget.yaml': null, 'apps/web/definition.yaml': null };

    it('is nothing of others: it is deleted after its objects', async () => {
      await fleet.repository.commit(dropped);
      expect(actionsOf(await fleet.sync())).to.deep.equal([
        `delete CustomResourceDefinition/widgets.${group}`,
        'delete Widget/ours',
      ]);
      await isGone(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${group}`);
      expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    });

    it('is another’s object: it is held and names it', async () => {
      const widgets = `/apis/${group}/v1/namespaces/${fleet.namespace}/widgets`;
      const parent = await someone.get(`/api/v1/namespaces/${fleet.namespace}`);
      const uid = stringAt(parent, 'metadata', 'uid') ?? '';
      const owner = { apiVersion: 'v1', kind: 'Namespace', name: fleet.namespace, uid };
      const precious = JSON.parse(widget(fleet.namespace, 'precious')) as { metadata: JsonObject };
      // That it has an owner of another kind does not mean that it leaves.
      precious.metadata['ownerReferences'] = [owner];
      await someone.create(widgets, { ...precious });
      await fleet.repository.commit(dropped);
      const report = await fleet.sync();
      expect(heldAs(report, `widgets.${group}`).reason).to.contain('Widget/precious');
      expect(stringAt(await someone.get(`${widgets}/precious`), 'metadata', 'uid')).to.be.a('string');
      await someone.delete(`${widgets}/precious`);
      expect(actionsOf(await fleet.sync())).to.deep.equal([
        `delete CustomResourceDefinition/widgets.${group}`,
      ]);
      await isGone(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${group}`);
    });
  });
});
