import { expect } from 'chai';

import { type JsonObject, stringAt } from '../../../../../src/model/json.ts';
import { checkObject, type KnownKinds } from '../../../../../src/render/validate/schema/check-object.ts';
import { knownKinds, rightManifests, wrongManifests } from '../../../../harness/schema-corpus.ts';

describe('checkObject', () => {
  let kinds: KnownKinds;
  before(async () => {
    kinds = await knownKinds();
  });

  const messagesOf = (manifest: JsonObject): string[] => {
    const checked = checkObject(manifest, kinds);
    if (checked.kind !== 'known') throw new Error(`the kind is ${checked.kind}`);
    return checked.violations.map(({ message }) => message);
  };

  for (const [index, manifest] of rightManifests().entries()) {
    it(`finds nothing in the right ${stringAt(manifest, 'kind') ?? ''} (${index + 1})`, () => {
      expect(messagesOf(manifest)).to.deep.equal([]);
    });
  }

  for (const { manifest, message, what } of wrongManifests()) {
    it(`${message === undefined ? 'leaves to a server' : 'finds'}: ${what}`, () => {
      expect(messagesOf(manifest)).to.deep.equal(message === undefined ? [] : [message]);
    });
  }

  it('knows a kind of Kubernetes that is not served from one of others', () => {
    const metadata = { name: 'a' };
    const ingress = { apiVersion: 'extensions/v1beta1', kind: 'Ingress', metadata };
    const deployment = { apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata };
    const issuer = { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', metadata };
    expect([ingress, deployment, issuer].map((each) => checkObject(each, kinds).kind)).to.deep.equal([
      'notServed',
      'notServed',
      'unknown',
    ]);
  });

  it('warns of a number that the server cuts', () => {
    const manifest = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'a' },
      spec: { replicas: 2 ** 32 + 7 },
    };
    const checked = checkObject(manifest, kinds);
    expect(checked.kind === 'known' && checked.violations.filter(({ isWarning }) => isWarning)).to.deep.equal(
      [
        {
          path: ['spec', 'replicas'],
          message: 'spec.replicas: the server keeps 7 instead of 4294967303, which has more than 32 bits',
          isWarning: true,
        },
      ],
    );
  });

  it('says where each field is', () => {
    const container = { name: 'a', image: 'b', comand: ['c'] };
    const checked = checkObject(
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [container] } },
      kinds,
    );
    expect(checked.kind === 'known' && checked.violations.map(({ path }) => path)).to.deep.equal([
      ['spec', 'containers', 0, 'comand'],
    ]);
  });
});
