import { loadAll } from 'js-yaml';
import { expect } from 'chai';

import type { DesiredObject, DesiredState } from '../../../src/model/desired.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { manifestFiles, manifestStream } from '../../../src/report/manifests.ts';

function object(
  kind: string,
  name: string,
  more: { namespace?: string; defaultNamespace?: string; manifest?: JsonObject; file?: string } = {},
): DesiredObject {
  const { namespace = '', defaultNamespace = '', manifest = {}, file = 'apps/a.yaml' } = more;
  const metadata = { name, ...(namespace === '' ? {} : { namespace }) };
  return {
    ref: { apiVersion: 'v1', kind, namespace, name },
    manifest: { apiVersion: 'v1', kind, metadata, ...manifest },
    origin: { generator: 'g', file, document: 1, line: 7 },
    defaultNamespace,
  };
}

function state(cluster: string, ...objects: DesiredObject[]): DesiredState {
  return { cluster, revision: 'r', objects, generators: new Map(), faults: [], labels: {}, warnings: [] };
}

const options = {
  showSecrets: false,
  clusterScopeOf: () => (each: DesiredObject) => each.ref.kind === 'Namespace',
};

describe('rendered manifests', () => {
  it('are a stream that says whose each is and where it comes from', () => {
    const states = [
      state('b', object('ConfigMap', 'a', { defaultNamespace: 'shop' })),
      state('a', object('Namespace', 'shop', { defaultNamespace: 'shop' })),
    ];
    expect(manifestStream(states, options)).to.equal(`\
---
# cluster: a
# origin: apps/a.yaml:7
apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
# cluster: b
# origin: apps/a.yaml:7
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  namespace: shop
`);
  });

  it('are a file for each kind, below its namespace and cluster', () => {
    const files = manifestFiles(
      [
        state(
          'c',
          object('Namespace', 'shop'),
          object('ConfigMap', 'b', { namespace: 'shop' }),
          object('ConfigMap', 'a', { defaultNamespace: 'shop' }),
        ),
      ],
      options,
    );
    expect([...files.keys()]).to.deep.equal(['c/namespace.yaml', 'c/shop/configmap.yaml']);
    const documents = loadAll(files.get('c/shop/configmap.yaml') ?? '') as { metadata: { name: string } }[];
    expect(documents.map(({ metadata }) => metadata.name)).to.deep.equal(['a', 'b']);
  });

  it('hide the values of Secrets unless asked for', () => {
    const manifest = { data: { key: 'aHVudGVyMg==' }, stringData: { other: 'hunter2' } };
    const states = [state('c', object('Secret', 's', { namespace: 'shop', manifest }))];
    const hidden = manifestStream(states, options) + [...manifestFiles(states, options).values()].join('');
    expect(hidden)
      .to.contain('key: (hidden)')
      .and.not.to.match(/hunter2|aHVudGVyMg/);
    expect(manifestStream(states, { ...options, showSecrets: true }))
      .to.contain('hunter2')
      .and.to.contain('aHVudGVyMg');
  });

  it('keep what older YAML readers would take for something else in quotes', () => {
    const data = {
      a: 'no',
      b: '0755',
      c: '1_000',
      d: '1e3',
      e: '12:30',
      f: '2024-01-02',
      g: '0x1F',
      h: '~',
      i: '',
      j: '=',
      k: '<<',
      y: 'y',
    };
    const text = manifestStream([state('c', object('ConfigMap', 'a', { manifest: { data } }))], options);
    expect((loadAll(text)[0] as { data: unknown }).data).to.deep.equal(data);
    for (const [key, value] of Object.entries(data)) {
      expect(text).to.match(new RegExp(`^  ["']?${key}["']?: ["']${value.replace('+', '\\+')}["']$`, 'm'));
    }
  });

  it('lead no path out of the folder', () => {
    const files = manifestFiles(
      [
        state(
          '../up',
          object('a/b', 'x', { namespace: '..' }),
          object('ConfigMap', 'y', { namespace: 'a\\b\n' }),
        ),
      ],
      options,
    );
    for (const path of files.keys())
      expect(path).to.match(/^%2E%2E%2Fup\/[A-Za-z0-9%._-]+\/[A-Za-z0-9%_][A-Za-z0-9%._-]*\.yaml$/);
  });

  it('let no file name break out of a comment', () => {
    const text = manifestStream([state('c', object('ConfigMap', 'a', { file: 'x\nkind: Evil' }))], options);
    expect(loadAll(text).length).to.equal(1);
    expect(loadAll(text)[0]).to.have.property('kind', 'ConfigMap');
  });
});
