import { expect } from 'chai';

import type { Discovery, ResourceInfo } from '../../../src/kube/discovery.ts';
import { serverFactsOf } from '../../../src/engine/server-facts.ts';

function kind(apiVersion: string, name: string, namespaced = true): ResourceInfo {
  return { apiVersion, kind: name, plural: `${name.toLowerCase()}s`, namespaced, verbs: [] };
}

function discoveryOf(
  parts: Partial<Pick<Discovery, 'failedGroups' | 'apiVersions'>>,
  kinds: ResourceInfo[],
): Discovery {
  return {
    find: () => undefined,
    findGroupKind: () => undefined,
    all: () => kinds,
    apiVersions: [...new Set(kinds.map(({ apiVersion }) => apiVersion))],
    failedGroups: [],
    ...parts,
  };
}

const kinds = [
  kind('v1', 'Pod'),
  kind('v1', 'Namespace', false),
  kind('apps/v1', 'Deployment'),
  kind('rbac.authorization.k8s.io/v1', 'ClusterRole', false),
];
const metrics = [
  kind('metrics.k8s.io/v1beta1', 'NodeMetrics', false),
  kind('metrics.k8s.io/v1beta1', 'PodMetrics'),
];

describe('serverFactsOf', () => {
  it('names versions and kinds, in order', () => {
    expect(serverFactsOf(discoveryOf({}, kinds), 'v1.36.3', undefined)).to.deep.equal({
      version: '1.36',
      kubeVersion: 'v1.36.3',
      apiVersions: [
        'apps/v1',
        'apps/v1/Deployment',
        'rbac.authorization.k8s.io/v1',
        'rbac.authorization.k8s.io/v1/ClusterRole',
        'v1',
        'v1/Namespace',
        'v1/Pod',
      ],
      clusterScoped: ['ClusterRole.rbac.authorization.k8s.io', 'Namespace'],
    });
  });

  it('reads the versions of other distributions', () => {
    const version = (text: string): string => serverFactsOf(discoveryOf({}, []), text, undefined).version;
    expect(['v1.29.3-eks-adc7111', 'v1.27.3-gke.100', 'v1.30.0+k3s1'].map(version)).to.deep.equal([
      '1.29',
      '1.27',
      '1.30',
    ]);
  });

  it('keeps the kinds of a group that cannot be read, and drops those that are gone', () => {
    const before = serverFactsOf(discoveryOf({}, [...kinds, ...metrics]), 'v1.36.3', undefined);
    const unread = { apiVersions: ['v1', 'metrics.k8s.io/v1beta1'], failedGroups: ['metrics.k8s.io'] };
    const facts = serverFactsOf(discoveryOf(unread, [kind('v1', 'Pod')]), 'v1.36.3', before);
    expect(facts.apiVersions).to.deep.equal([
      'metrics.k8s.io/v1beta1',
      'metrics.k8s.io/v1beta1/NodeMetrics',
      'metrics.k8s.io/v1beta1/PodMetrics',
      'v1',
      'v1/Pod',
    ]);
    expect(facts.clusterScoped).to.deep.equal(['NodeMetrics.metrics.k8s.io']);
    const gone = serverFactsOf(discoveryOf({}, [kind('v1', 'Pod')]), 'v1.36.3', facts);
    expect(gone.apiVersions).to.deep.equal(['v1', 'v1/Pod']);
  });
});
