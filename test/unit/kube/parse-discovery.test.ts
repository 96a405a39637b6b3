import { expect } from 'chai';
import { parseAggregatedDiscovery, parseResourceList } from '../../../src/kube/parse-discovery.ts';

describe('parseAggregatedDiscovery', () => {
  const resource = (name: string, kind: string, scope = 'Namespaced') => ({
    resource: name,
    responseKind: { group: '', version: 'v1', kind },
    scope,
    verbs: ['get', 'list'],
    subresources: [{ subresource: 'status', responseKind: { kind } }],
  });

  it('reads groups with their versions in order of preference', () => {
    const groups = parseAggregatedDiscovery({
      kind: 'APIGroupDiscoveryList',
      items: [
        {
          versions: [
            { version: 'v1', freshness: 'Current', resources: [resource('nodes', 'Node', 'Cluster')] },
          ],
        },
        {
          metadata: { name: 'apps' },
          versions: [
            { version: 'v2', resources: [resource('webs', 'Web')] },
            { version: 'v1', resources: [resource('webs', 'Web')] },
          ],
        },
      ],
    });
    const verbs = ['get', 'list'];
    expect(groups).to.deep.equal([
      {
        group: '',
        apiVersions: ['v1'],
        failed: false,
        resources: [{ apiVersion: 'v1', kind: 'Node', plural: 'nodes', namespaced: false, verbs }],
      },
      {
        group: 'apps',
        apiVersions: ['apps/v2', 'apps/v1'],
        failed: false,
        resources: [
          { apiVersion: 'apps/v2', kind: 'Web', plural: 'webs', namespaced: true, verbs },
          { apiVersion: 'apps/v1', kind: 'Web', plural: 'webs', namespaced: true, verbs },
        ],
      },
    ]);
  });

  it('counts a group as failed when one of its versions is stale', () => {
    const versions = [{ version: 'v1', freshness: 'Stale' }];
    expect(parseAggregatedDiscovery({ items: [{ metadata: { name: 'm' }, versions }] })).to.deep.equal([
      { group: 'm', apiVersions: ['m/v1'], failed: true, resources: [] },
    ]);
  });
});

describe('parseResourceList', () => {
  it('leaves subresources out', () => {
    const resources = [
      { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get'] },
      { name: 'pods/log', kind: 'Pod', namespaced: true, verbs: ['get'] },
      { name: 'pods/eviction', kind: 'Eviction', namespaced: true, verbs: ['create'] },
    ];
    expect(parseResourceList({ kind: 'APIResourceList', resources }, 'v1')).to.deep.equal([
      { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true, verbs: ['get'] },
    ]);
  });
});
