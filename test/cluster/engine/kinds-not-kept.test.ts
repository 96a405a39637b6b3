import { expect } from 'chai';

import { sharedControlPlane } from '../../harness/control-plane.ts';
import { generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import { changeOf, startTestFleet, type TestFleet } from '../../harness/fleet.ts';

const review = JSON.stringify({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  metadata: { name: 'review' },
  spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
});

describe('a kind of which a cluster keeps no objects', () => {
  let fleet: TestFleet;

  before(async () => {
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: await sharedControlPlane() }],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/review.yaml': review,
      }),
    });
  });

  after(() => fleet.close());

  it('fails as an object, and leaves nothing behind when Git no longer has it', async () => {
    const failed = await fleet.sync();
    const change = changeOf(failed, 'review');
    expect(change.action === 'failed' && change.error.code).to.equal('KindUnknown');
    expect(failed.clusters[0]?.errors).to.deep.equal([]);
    await fleet.repository.commit({ 'apps/web/review.yaml': null });
    const mended = await fleet.sync();
    expect(mended.clusters[0]?.errors).to.deep.equal([]);
    expect(mended.clusters[0]?.changes.map(({ action }) => action)).to.deep.equal(['unchanged']);
  });
});
