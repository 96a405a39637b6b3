import { expect } from 'chai';

import { readToolVersion } from '../../../../src/render/tools/tool-version.ts';

const kubectl = (gitVersion: string, kustomize?: string) =>
  JSON.stringify({ clientVersion: { gitVersion }, kustomizeVersion: kustomize }, undefined, 2);

describe('readToolVersion', () => {
  const accepted = [
    ['kustomize', 'v5.8.1\n', 'kustomize v5.8.1'],
    ['kustomize', 'v5.0.0', 'kustomize v5.0.0'],
    ['helm', 'v4.2.3', 'helm v4.2.3'],
    ['helm', 'v3.14.0-rc.1+g1234', 'helm v3.14.0-rc.1+g1234'],
    ['kubectl', kubectl('v1.36.3', 'v5.8.1'), 'kubectl v1.36.3 with kustomize v5.8.1'],
    ['kubectl', kubectl('v1.32.4-dispatcher', 'v5.5.0'), 'kubectl v1.32.4-dispatcher with kustomize v5.5.0'],
    ['kubectl', kubectl('v1.27.0'), 'kubectl v1.27.0'],
  ] as const;
  for (const [name, output, version] of accepted) {
    it(`takes ${version}`, () => {
      expect(readToolVersion(name, output)).to.deep.equal({ ok: true, version });
    });
  }

  const refused = [
    ['kustomize', '{Version:kustomize/v4.5.7 GitCommit:abc}', 'is version 4.5.7; 5.0.0 or newer is needed'],
    ['helm', 'v3.9.4', 'is version 3.9.4; 3.14.0 or newer is needed'],
    ['helm', 'v2.17.0', 'is version 2.17.0; 3.14.0 or newer is needed'],
    ['kubectl', kubectl('v1.9.7'), 'is version 1.9.7; 1.27.0 or newer is needed'],
    ['kustomize', '(devel)', 'does not say which version it is'],
    ['kubectl', 'Client Version: v1.30.0', 'does not say which version it is'],
  ] as const;
  for (const [name, output, message] of refused) {
    it(`refuses ${name} that says ${JSON.stringify(output.slice(0, 30))}`, () => {
      expect(readToolVersion(name, output)).to.deep.equal({ ok: false, message });
    });
  }
});
