import { expect } from 'chai';

import { kindTable } from '../../../src/engine/kind-table.ts';
import type { Discovery, ResourceInfo } from '../../../src/kube/discovery.ts';
import { wanted } from '../plan/objects.ts';

function serving(...resources: readonly ResourceInfo[]): Discovery {
  return {
    find: (apiVersion, kind) =>
      resources.find((resource) => resource.apiVersion === apiVersion && resource.kind === kind),
    findGroupKind: () => undefined,
    all: () => resources,
    apiVersions: [],
    failedGroups: [],
  };
}

const definition = wanted('CustomResourceDefinition/widgets.example.com', {
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [{ name: 'v1', served: true }],
  },
});
const served: ResourceInfo = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  plural: 'things',
  namespaced: true,
  verbs: ['list'],
};

describe('the kinds that can be spoken of', () => {
  it('are those served, and those that a definition in the same set will bring', () => {
    const table = kindTable(serving(), [definition]);
    expect(table.scopeOf('example.com/v1', 'Widget')).to.equal('cluster');
    expect(table.resolve({ apiVersion: 'example.com/v1', kind: 'Widget' })?.plural).to.equal('widgets');
    expect(table.isServed({ apiVersion: 'example.com/v1', kind: 'Widget' })).to.equal(false);
    expect(table.scopeOf('example.com/v2', 'Widget')).to.equal(undefined);
  });

  it('are as the server says where it serves them, whatever the definition says', () => {
    const table = kindTable(serving(served), [definition]);
    expect(table.scopeOf('example.com/v1', 'Widget')).to.equal('namespaced');
    expect(table.resolve({ apiVersion: 'example.com/v1', kind: 'Widget' })).to.equal(served);
    expect(table.isServed({ apiVersion: 'example.com/v1', kind: 'Widget' })).to.equal(true);
  });
});
