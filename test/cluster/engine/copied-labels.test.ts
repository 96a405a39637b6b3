import { expect } from 'chai';

import { applySetIdOf } from '../../../src/apply/apply-set-parent.ts';
import { partOfLabel } from '../../../src/model/apply-set.ts';
import { arrayAt, stringAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { documents, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  actionsOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';

const service = (namespace: string): string => `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: ${namespace}}
spec:
  selector: {app: web}
  ports: [{port: 80}]
`;

/** Its Pods carry the ApplySet's label, as in a manifest that somebody exported and put into Git. */
const deployment = (namespace: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${namespace}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, ${partOfLabel}: ${applySetIdOf(namespace)}}}
    spec: {containers: [{name: web, image: "web:1"}]}
`;

/** With one of each in Git, the kinds of the children are observed. */
const sameKinds = (namespace: string): string => `
apiVersion: v1
kind: Pod
metadata: {name: lone, namespace: ${namespace}}
spec: {containers: [{name: web, image: "web:1"}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: lone, namespace: ${namespace}}
addressType: IPv4
endpoints: [{addresses: [192.0.2.1]}]
ports: [{port: 80}]
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: lone, namespace: ${namespace}}
spec:
  replicas: 0
  selector: {matchLabels: {app: lone}}
  template:
    metadata: {labels: {app: lone}}
    spec: {containers: [{name: web, image: "web:1"}]}
`;

describe('children that carry our label', () => {
  let fleet: TestFleet;
  let engine: TestEngine;
  let someone: Outsider;
  let selector: string;

  const childrenOf = async (path: string): Promise<Map<string, string>> => {
    const list = await someone.get(`${path}?labelSelector=${encodeURIComponent(selector)}`);
    return new Map(
      arrayAt(list, 'items')
        .map(
          (item) =>
            [stringAt(item, 'metadata', 'name') ?? '', stringAt(item, 'metadata', 'uid') ?? ''] as const,
        )
        .filter(([name]) => name !== 'lone'),
    );
  };
  const paths = (): string[] => [
    `/api/v1/namespaces/${fleet.namespace}/pods`,
    `/apis/apps/v1/namespaces/${fleet.namespace}/replicasets`,
    `/apis/discovery.k8s.io/v1/namespaces/${fleet.namespace}/endpointslices`,
  ];

  before(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/all.yaml': documents(namespaceFile(namespace), service(namespace), deployment(namespace)),
        'apps/web/same-kinds.yaml': sameKinds(namespace),
      }),
    });
    selector = `${partOfLabel}=${applySetIdOf(fleet.settings.name)}`;
    engine = fleet.start();
    await engine.settled();
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('are there: controllers copied the label to them', async () => {
    for (const path of paths()) {
      await eventually(
        async () => ((await childrenOf(path)).size > 0 ? true : undefined),
        `children at ${path}`,
      );
    }
  });

  it('are neither listed nor deleted, by the engine or by a sync', async () => {
    const before = await Promise.all(paths().map(childrenOf));
    await fleet.repository.commit({ 'other.txt': 'a new revision' });
    engine.engine.fetchNow();
    await engine.settled();
    expect(actionsOf(engine.report())).to.deep.equal([]);
    expect(engine.drift().clusters[0]?.objects).to.deep.equal([]);
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    expect(actionsOf((await fleet.once('plan')).changes)).to.deep.equal([]);
    expect(await Promise.all(paths().map(childrenOf))).to.deep.equal(before);
  });
});
