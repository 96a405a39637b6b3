import { expect } from 'chai';
import { sshCommand } from '../../../../src/git/native/ssh-command.ts';

describe('sshCommand', () => {
  it("uses the user's own configuration, but never asks and takes no unknown host", () => {
    expect(sshCommand(undefined, 10_000)).to.equal(
      'ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=10 ' +
        '-o ServerAliveInterval=15 -o ServerAliveCountMax=3',
    );
  });

  it('uses the files of the settings and nothing else, also with odd characters in their names', () => {
    const command = sshCommand({ privateKeyFile: "/k/it's 50%", knownHostsFile: '/k/hosts' }, 1_500);
    expect(command).to.include('ssh -F none ').and.include('ConnectTimeout=2');
    expect(command).to.include(String.raw`-o IdentitiesOnly=yes -o 'IdentityFile="/k/it'\''s 50%%"'`);
    expect(command).to.include(
      `-o 'UserKnownHostsFile="/k/hosts"' -o GlobalKnownHostsFile=/dev/null -o UpdateHostKeys=no`,
    );
  });
});
