import { expect } from 'chai';

import { readManifestText } from '../../../../src/render/manifests/manifest-file.ts';

function faultsOf(text: string): string[] {
  return readManifestText(text).faults.map(
    ({ line, column, message }) => `${line}:${column ?? ''} ${message}`,
  );
}

const withMetadata = (metadata: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: ${metadata}\n`;

describe('readManifestText', () => {
  it('takes the items of Lists, also of typed ones, each with its own line', () => {
    const text = `apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: a}
  - apiVersion: v1
    kind: ConfigMapList
    items:
      - metadata: {name: b}
`;
    expect(readManifestText(text)).to.deep.equal({
      faults: [],
      objects: [
        {
          ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: '', name: 'a' },
          manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
          document: 1,
          line: 4,
        },
        {
          ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: '', name: 'b' },
          manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
          document: 1,
          line: 10,
        },
      ],
    });
  });

  it('takes a List whose items are null for an empty one', () => {
    expect(readManifestText('apiVersion: v1\nkind: List\nitems: null\n')).to.deep.equal({
      objects: [],
      faults: [],
    });
    expect(readManifestText('apiVersion: v1\nkind: ConfigMapList\nitems:\n')).to.deep.equal({
      objects: [],
      faults: [],
    });
  });

  it('completes an item of a typed list only where it says neither its kind nor its version', () => {
    const text = 'apiVersion: v1\nkind: ConfigMapList\nitems: [{kind: Secret, metadata: {name: a}}]\n';
    expect(faultsOf(text)).to.deep.equal(['3:9 apiVersion is required']);
  });

  it('strips what only a server writes, so that an exported object can be committed', () => {
    const exported = `apiVersion: v1
kind: Service
metadata:
  name: web
  uid: 1-2
  resourceVersion: "7"
  generation: 3
  creationTimestamp: 2024-01-02T03:04:05Z
  selfLink: /x
  managedFields: [{manager: kubectl}]
  labels: {app: web}
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", keep: me}
spec: {type: ClusterIP}
status: {loadBalancer: {}}
`;
    expect(readManifestText(exported).objects[0]?.manifest).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', labels: { app: 'web' }, annotations: { keep: 'me' } },
      spec: { type: 'ClusterIP' },
    });
  });

  const faulty: readonly (readonly [string, string, readonly string[]])[] = [
    ['no kind', 'apiVersion: v1\nmetadata: {name: a}\n', ['1:1 kind is required']],
    [
      'a kind that is no text',
      'apiVersion: v1\nkind: 3\nmetadata: {name: a}\n',
      ['2:7 kind must be text, not the number 3; quote it'],
    ],
    [
      'nothing at all',
      'a: 1\n',
      ['1:1 apiVersion is required', '1:1 kind is required', '1:1 metadata.name is required'],
    ],
    [
      'a name that YAML takes for a number',
      withMetadata('{name: 012}'),
      ['3:18 metadata.name must be text, not the number 10; quote it'],
    ],
    ['a name that can be none', withMetadata('{name: a/b}'), ['3:18 metadata.name "a/b" can be no name']],
    [
      'a generated name',
      withMetadata('{generateName: a-}'),
      ['3:26 generateName makes a new object each time; give the object a name'].map((text) =>
        text.replace('27', '26'),
      ),
    ],
    [
      'a namespace that is none',
      withMetadata('{name: a, namespace: A_}'),
      [
        `3:32 metadata.namespace "A_" must be lower-case letters, digits, '-' and '.', and begin and end with a letter or digit`,
      ],
    ],
    [
      'labels that are no text',
      withMetadata('{name: a, labels: {x: 1, z: true, w: null, v: {}}}'),
      [
        '3:33 label x must be text, not the number 1; quote it',
        '3:39 label z must be text, not the boolean true; quote it',
        '3:48 label w must be text, not null',
        '3:57 label v must be text, not a map',
      ],
    ],
    [
      'annotations that are a list',
      withMetadata('{name: a, annotations: []}'),
      ['3:34 metadata.annotations must be a map'],
    ],
    [
      'our own label',
      withMetadata('{name: a, labels: {applyset.kubernetes.io/part-of: x}}'),
      ['3:62 applyset.kubernetes.io/part-of is written by Fleetwright alone; remove it'].map((text) =>
        text.replace('61', '62'),
      ),
    ],
    [
      'our own annotation',
      withMetadata('{name: a, annotations: {fleetwright.dev/generator: x}}'),
      ['3:62 fleetwright.dev/generator is written by Fleetwright alone; remove it'],
    ],
    [
      'a path that leaves nothing to others',
      withMetadata('{name: a, annotations: {fleetwright.dev/ignore-fields: spec.replicas}}'),
      [
        '3:66 fleetwright.dev/ignore-fields: spec.replicas is no path: it begins with a dot, as in .spec.replicas',
      ],
    ],
    [
      'the replacement of what does not come back',
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: a, annotations: {fleetwright.dev/apply: replace}}\n',
      ['3:58 fleetwright.dev/apply: replace is not for a Namespace: what goes with it does not come back'],
    ],
    [
      'a mistyped annotation of ours',
      withMetadata('{name: a, annotations: {fleetwright.dev/prun: disabled}}'),
      ['3:57 fleetwright.dev/prun is no annotation of Fleetwright (did you mean "fleetwright.dev/prune"?)'],
    ],
    [
      'a value that our annotation does not take',
      withMetadata('{name: a, annotations: {fleetwright.dev/drift: correkt}}'),
      ['3:58 fleetwright.dev/drift must be correct or report or ignore, not "correkt"'],
    ],
    [
      'an item that is no object',
      'apiVersion: v1\nkind: List\nitems: [3]\n',
      ['3:9 an item of a List must be an object'],
    ],
  ];
  for (const [what, text, faults] of faulty) {
    it(`refuses ${what}`, () => {
      expect(faultsOf(text)).to.deep.equal(faults);
    });
  }

  it('takes names, labels and annotations that Kubernetes takes', () => {
    const rbac =
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: "system:node:a", labels: , annotations: {Example.COM/x: ""}}\n';
    expect(faultsOf(rbac)).to.deep.equal([]);
    expect(faultsOf(withMetadata('{name: a-1, generateName: a-}'))).to.deep.equal([]);
  });

  it('lists no more than the first hundred faults of a file', () => {
    const many = faultsOf(`${withMetadata('{name: a/b}')}---\n`.repeat(150));
    expect(many).to.have.length(101);
    expect(many[100]).to.match(/and 50 more faults in this file$/);
  });
});
