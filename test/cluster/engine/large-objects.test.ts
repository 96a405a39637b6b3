import { expect } from 'chai';

import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { configMap, configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  changeOf,
  countOf,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const group = `${uniqueNamespace('large')}.example.com`;
const mebibyte = 1024 * 1024;

const definition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `blobs.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Blob', plural: 'blobs' },
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

const blob = (namespace: string, name: string, bytes: number): string =>
  JSON.stringify({
    apiVersion: `${group}/v1`,
    kind: 'Blob',
    metadata: { name, namespace },
    content: 'x'.repeat(bytes),
  });

describe('objects larger than a server takes', () => {
  let fleet: TestFleet;
  let someone: Outsider;

  before(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/definition.yaml': definition,
        'apps/web/small.yaml': blob(namespace, 'small', 1_000),
        'apps/web/beyond-etcd.yaml': blob(namespace, 'beyond-etcd', 1.7 * mebibyte),
        'apps/web/beyond-storage.yaml': blob(namespace, 'beyond-storage', 2 * mebibyte),
        'apps/web/beyond-requests.yaml': blob(namespace, 'beyond-requests', 4 * mebibyte),
        'apps/web/good.yaml': configMap(namespace, 'good'),
      }),
    });
  });

  after(async () => {
    await someone.delete(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/blobs.${group}`);
    await fleet.close();
    await someone.close();
  });

  for (const turn of ['at first', 'every time']) {
    it(`are the object’s own fault ${turn}, whoever refuses them, and stop nothing else`, async () => {
      const report = await fleet.sync();
      expect(report.clusters[0]?.state).to.equal('reachable');
      expect(countOf(report, 'failed')).to.equal(3);
      for (const name of ['beyond-etcd', 'beyond-storage', 'beyond-requests']) {
        const change = changeOf(report, name);
        if (change.action !== 'failed') throw new Error(`${name} is ${change.action}`);
        expect(change.error.code, change.error.message).to.equal('ObjectInvalid');
        expect(change.error.message).to.match(/large/);
        expect(change.error.message.length).to.be.lessThan(2_000);
      }
      expect(await someone.get(configMapPath(fleet.namespace, 'good'))).to.not.equal(undefined);
      expect(changeOf(report, 'small').action).to.equal(turn === 'at first' ? 'create' : 'unchanged');
    });
  }
});
