import { expect } from 'chai';
import { parseGitUrl, redactUrl } from '../../../src/git/remote/git-url.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';

describe('parseGitUrl', () => {
  it('moves credentials out of the URL', () => {
    const location = parseGitUrl('https://bot:p%40ss@git.example:8443/team/fleet.git/');
    expect(location).to.deep.equal({
      kind: 'http',
      url: new URL('https://git.example:8443/team/fleet.git'),
      shown: 'https://git.example:8443/team/fleet.git/',
      credentials: { username: 'bot', password: 'p@ss' },
    });
  });

  it('takes a token alone for a user name, as forges do', () => {
    expect(parseGitUrl('https://tok@git.example/fleet')).to.have.deep.property('credentials', {
      username: 'tok',
      password: '',
    });
  });

  it('has no credentials where there are none', () => {
    expect(parseGitUrl('http://git.example/fleet.git')).to.not.have.property('credentials');
  });

  it('takes an absolute path and file:// for a repository on this machine', () => {
    expect(parseGitUrl('/srv/fleet')).to.deep.equal({
      kind: 'local',
      path: '/srv/fleet',
      shown: '/srv/fleet',
    });
    expect(parseGitUrl('file:///srv/my%20fleet')).to.have.property('path', '/srv/my fleet');
  });

  const forNative = [
    [
      'ssh://bot:s3cret@git.example:2222/x',
      'ssh',
      'ssh://bot@git.example:2222/x',
      'ssh://git.example:2222/x',
    ],
    ['bot@git.example:team/x.git', 'ssh', 'bot@git.example:team/x.git', 'git.example:team/x.git'],
    ['git://git.example/x', 'git', 'git://git.example/x', 'git://git.example/x'],
  ] as const;
  for (const [text, kind, url, shown] of forNative) {
    it(`takes ${text} for ${kind}, without a password`, () => {
      expect(parseGitUrl(text)).to.deep.equal({ kind, url, shown });
    });
  }

  for (const url of ['ftp://bot:s3cret@git.example/x', 'ext::sh -c s3cret', 's3cret:not a url']) {
    it(`refuses ${url} without showing what is secret in it`, () => {
      expect(() => parseGitUrl(url))
        .to.throw(FleetError)
        .that.satisfies(
          (error: FleetError) => error.code === 'ConfigInvalid' && !/s3cret/.test(error.message),
        );
    });
  }
});

describe('redactUrl', () => {
  const cases = [
    ['https://u:p@h/x.git?token=t#f', 'https://h/x.git'],
    ['http://h:80/x', 'http://h/x'],
    ['ssh://u:p@h:22/x', 'ssh://h:22/x'],
    ['u:p@nonsense', 'nonsense'],
  ] as const;
  for (const [text, shown] of cases) {
    it(`shows ${text} as ${shown}`, () => {
      expect(redactUrl(text)).to.equal(shown);
    });
  }
});
