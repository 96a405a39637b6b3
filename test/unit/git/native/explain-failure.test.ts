import { expect } from 'chai';
import { explainFailure } from '../../../../src/git/native/explain-failure.ts';

const shown = 'ssh://git.example/fleet';

describe('explainFailure', () => {
  const transport = [
    [
      'git@git.example: Permission denied (publickey).\nfatal: Could not read from remote repository.\n',
      'GitUnauthorized',
      'refused the ssh key',
    ],
    [
      `Permissions 0644 for '/k' are too open.\nLoad key "/k": bad permissions\nPermission denied (publickey).`,
      'GitUnauthorized',
      'chmod 600',
    ],
    [
      'No ED25519 host key is known for git.example and you have requested strict checking.\nHost key verification failed.\nfatal: Could not read from remote repository.',
      'GitUnavailable',
      'source.auth.knownHostsFile',
    ],
    [
      '@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed.',
      'GitUnavailable',
      'somebody is in between',
    ],
    [
      'error: cannot run ssh: No such file or directory\nfatal: unable to fork',
      'GitUnavailable',
      'not installed',
    ],
    [
      'ssh: Could not resolve hostname nowhere: Name or service not known',
      'GitUnavailable',
      'does not resolve',
    ],
    [
      'ssh: connect to host git.example port 22: Connection refused',
      'GitUnavailable',
      'refused the connection',
    ],
    ['ssh: connect to host git.example port 22: Connection timed out', 'GitUnavailable', 'in time'],
    [
      "fatal: unable to access 'https://x/': The requested URL returned error: 403",
      'GitUnauthorized',
      'credentials',
    ],
    ["fatal: '/srv/x' does not appear to be a git repository", 'GitUnavailable', 'no Git repository'],
    [
      'fatal: early EOF\nfatal: fetch-pack: invalid index-pack output',
      'GitUnavailable',
      'closed the connection',
    ],
  ] as const;
  for (const [stderr, code, says] of transport) {
    it(`finds '${says}' in ${JSON.stringify(stderr.slice(0, 50))}`, () => {
      const failure = explainFailure(stderr, shown);
      expect(failure).to.have.property('kind', 'transport');
      expect(failure).to.have.nested.property('error.code', code);
      expect(failure).to.have.nested.property('error.message').that.includes(shown).and.includes(says);
    });
  }

  it('finds a commit that the server does not have', () => {
    for (const stderr of [
      'fatal: remote error: upload-pack: not our ref ffff',
      'error: Server does not allow request for unadvertised object ffff',
    ]) {
      expect(explainFailure(stderr, shown)).to.deep.equal({ kind: 'noSuchRef' });
    }
  });

  it('shows the last words of git, not those of the server, and no secret', () => {
    const stderr =
      'Receiving: 1%\rReceiving: 2%\nremote: tok-1 said so\nfatal: something odd with tok-1\nhint: tok-1\n';
    const failure = explainFailure(stderr, shown, ['', 'tok-1']);
    expect(failure).to.have.property('kind', 'other');
    expect(failure)
      .to.have.nested.property('error.message')
      .that.equals(`${shown} could not be read: fatal: something odd with ***`);
  });
});
