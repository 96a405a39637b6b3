import { expect } from 'chai';
import { chooseBackend } from '../../../src/git/choose-backend.ts';
import { parseGitUrl } from '../../../src/git/remote/git-url.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';

describe('chooseBackend', () => {
  const cases = [
    ['auto', 'https://git.example/x', 'either'],
    ['auto', '/srv/x', 'either'],
    ['auto', 'ssh://git@git.example/x', 'native'],
    ['auto', 'git@git.example:x', 'native'],
    ['auto', 'git://git.example/x', 'native'],
    ['native', 'https://git.example/x', 'native'],
    ['native', '/srv/x', 'native'],
    ['embedded', 'https://git.example/x', 'embedded'],
    ['embedded', 'file:///srv/x', 'embedded'],
  ] as const;
  for (const [wanted, url, choice] of cases) {
    it(`makes ${choice} of ${wanted} for ${url}`, () => {
      expect(chooseBackend(wanted, parseGitUrl(url))).to.equal(choice);
    });
  }

  for (const url of ['ssh://git:s3cret@git.example/x', 'git@git.example:x', 'git://git.example/x']) {
    it(`refuses ${url} for the embedded Git, and names the ways out`, () => {
      expect(() => chooseBackend('embedded', parseGitUrl(url)))
        .to.throw(FleetError, /source\.backend.*https:\/\//)
        .with.property('code', 'ConfigInvalid');
    });
  }
});
