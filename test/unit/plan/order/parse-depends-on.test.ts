import { expect } from 'chai';

import { parseDependsOn } from '../../../../src/plan/order/parse-depends-on.ts';

function keysOf(text: string): readonly string[] | string {
  const parsed = parseDependsOn(text);
  return parsed.ok ? parsed.refs.map(({ key }) => key) : parsed.message;
}

describe('config.kubernetes.io/depends-on', () => {
  it('names objects with and without a namespace, of the core group and of others', () => {
    expect(keysOf('/namespaces/shop/Service/db')).to.deep.equal(['Service/shop/db']);
    expect(keysOf('apps/namespaces/shop/StatefulSet/db, /Namespace/shop')).to.deep.equal([
      'StatefulSet.apps/shop/db',
      'Namespace//shop',
    ]);
    expect(keysOf('rbac.authorization.k8s.io/ClusterRole/reader')).to.deep.equal([
      'ClusterRole.rbac.authorization.k8s.io//reader',
    ]);
  });

  for (const text of [
    '',
    'db',
    'Service/db',
    'apps/namespaces/shop/StatefulSet',
    '/namespaces//Service/db',
    'a//b',
    'a/b/c,',
  ]) {
    it(`refuses ${JSON.stringify(text)} with how it is written`, () => {
      expect(keysOf(text)).to.be.a('string').and.to.include('group/kind/name');
    });
  }
});
