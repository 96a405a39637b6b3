import { expect } from 'chai';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failure, OpenSources, pollOnce, textOf } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld, type TestRepository } from '../harness/git.ts';
import { type Programs, programsIn } from '../harness/programs.ts';

const signal = (): AbortSignal => AbortSignal.timeout(30_000);

/*
 * No server for ssh is needed here: in the place of the client stands a script that runs on this machine what would run
 * on the server. All of git's side is real, and so is the transport.
 */
describe('a repository over ssh', () => {
  let world: GitWorld;
  let sources: OpenSources;
  let programs: Programs;
  let repository: TestRepository;

  before(async () => {
    world = await startGitWorld();
    sources = new OpenSources(world, 'auto');
  });
  beforeEach(async () => {
    repository = await world.repository({ 'a.yaml': 'one' });
    programs = programsIn(await world.tempDir('programs'));
    await programs.write('ssh', 'echo "$*" >> "$log"; for last in "$@"; do :; done; exec /bin/sh -c "$last"');
  });
  afterEach(() => sources.closeAll());
  after(() => world.close());

  const open = (url: string, more = {}): ReturnType<OpenSources['open']> =>
    sources.open({ url, environment: programs.environment, ...more });

  it('is followed by either form of its address', async () => {
    for (const url of [
      `ssh://git@git.example:2222${repository.bareDir}`,
      `git@git.example:${repository.bareDir}`,
    ]) {
      const source = await open(url);
      const before = await pollOnce(source);
      const text = `changed for ${url}`;
      const revision = await repository.commit({ 'a.yaml': text });
      const after = await pollOnce(source);
      expect(after.revision).to.equal(revision).and.not.equal(before.revision);
      expect(await textOf(after, 'a.yaml')).to.equal(text);
    }
  });

  it('is reached with the key and the host keys of the settings', async () => {
    const keys = await world.tempDir('keys');
    const ssh = { privateKeyFile: join(keys, 'fleet key'), knownHostsFile: join(keys, 'hosts') };
    for (const path of Object.values(ssh)) await writeFile(path, '');
    await pollOnce(await open(`ssh://bot@git.example:2222${repository.bareDir}`, { ssh }));
    const [first = ''] = await programs.log();
    expect(first)
      .to.include('-F none')
      .and.include('-o BatchMode=yes -o StrictHostKeyChecking=yes')
      .and.include(`-o IdentityFile="${ssh.privateKeyFile}"`)
      .and.include(`-o UserKnownHostsFile="${ssh.knownHostsFile}"`)
      .and.include('-p 2222 bot@git.example git-upload-pack');
  });

  it('is told that a file of the settings is missing', async () => {
    const source = await open('ssh://git@git.example/x', { ssh: { privateKeyFile: '/no/such/key' } });
    const error = await failure(source.poll(signal()), 'GitUnauthorized');
    expect(error.message).to.equal('the ssh key /no/such/key cannot be read (ENOENT)');
  });

  it('may be empty at first, and tells a branch that is missing', async () => {
    const empty = await world.repository();
    const source = await open(`ssh://git.example${empty.bareDir}`);
    expect(await source.poll(signal())).to.equal(null);
    const absent = await open(`ssh://git.example${repository.bareDir}`, { ref: 'absent' });
    const error = await failure(absent.poll(signal()), 'GitRefNotFound');
    expect(error.message).to.include("no branch or tag 'absent'");
  });

  const refusals = [
    ['Permission denied (publickey).', 'GitUnauthorized', 'refused the ssh key'],
    ['Host key verification failed.', 'GitUnavailable', 'knownHostsFile'],
  ] as const;
  for (const [said, code, message] of refusals) {
    it(`reports '${said}' in words of its own`, async () => {
      await programs.write('ssh', `echo '${said}' >&2; exit 255`);
      const error = await failure((await open('ssh://git@git.example/x')).poll(signal()), code);
      expect(error.message).to.include('ssh://git.example/x').and.include(message);
    });
  }

  it('says so when there is no ssh', async () => {
    const bare = programsIn(await world.tempDir('programs'));
    await bare.write('git', 'exec "$real" "$@"');
    const folder = bare.environment['PATH']?.split(':')[0] ?? '';
    const source = await open('ssh://git@git.example/x', { environment: { PATH: folder } });
    const error = await failure(source.poll(signal()), 'GitUnavailable');
    expect(error.message).to.include('needs the program ssh');
  });
});
