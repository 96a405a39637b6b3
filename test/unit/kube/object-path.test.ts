import { expect } from 'chai';
import type { ResourceInfo } from '../../../src/kube/discovery.ts';
import { collectionPath, objectPath } from '../../../src/kube/object-path.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';

describe('objectPath', () => {
  const resource = (apiVersion: string, kind: string, plural: string, namespaced: boolean): ResourceInfo => ({
    apiVersion,
    kind,
    plural,
    namespaced,
    verbs: [],
  });
  const deployments = resource('apps/v1', 'Deployment', 'deployments', true);
  const roles = resource('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles', false);
  const namespaces = resource('v1', 'Namespace', 'namespaces', false);
  const ref = { apiVersion: 'apps/v1beta1', kind: 'Deployment', namespace: 'shop', name: 'web' };

  it('is that of the resource’s version, with names encoded', () => {
    expect(objectPath(deployments, ref)).to.equal('/apis/apps/v1/namespaces/shop/deployments/web');
    expect(objectPath(namespaces, { ...ref, namespace: '', name: 'shop' })).to.equal(
      '/api/v1/namespaces/shop',
    );
    expect(objectPath(roles, { ...ref, name: 'system:a/../b' })).to.equal(
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aa%2F..%2Fb',
    );
    expect(collectionPath(deployments)).to.equal('/apis/apps/v1/deployments');
    expect(collectionPath(deployments, 'shop')).to.equal('/apis/apps/v1/namespaces/shop/deployments');
  });

  it('is never that of many objects', () => {
    for (const incomplete of [
      { ...ref, name: '' },
      { ...ref, namespace: '' },
    ]) {
      expect(() => objectPath(deployments, incomplete)).to.throw(FleetError);
    }
  });
});
