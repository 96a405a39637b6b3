import { expect } from 'chai';
import { request } from 'undici';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { runGit } from '../../src/local/git-server-run.ts';
import { seedRepository } from '../../src/local/git-server-seed.ts';
import { startGitServer } from '../../src/local/git-server.ts';
import { FleetError } from '../../src/model/fleet-error.ts';
import { type GitWorld, startGitWorld, writeFiles } from '../harness/git.ts';

describe('the local Git server', () => {
  let world: GitWorld;
  before(async () => {
    world = await startGitWorld();
  });
  after(() => world.close());

  it('takes a push and gives it to several clones at once', async () => {
    const repository = await world.repository({ 'a.yaml': '1' });
    const dirs = await Promise.all([1, 2, 3, 4].map(async () => join(await world.tempDir(), 'clone')));
    await Promise.all(dirs.map((dir) => runGit(['clone', '--quiet', repository.url, dir])));
    const heads = await Promise.all(dirs.map((dir) => runGit(['-C', dir, 'rev-parse', 'HEAD'])));
    expect(new Set(heads)).to.deep.equal(new Set([await repository.git('rev-parse', 'HEAD')]));
  });

  it('takes a push of many megabytes, which git sends in pieces', async () => {
    const repository = await world.repository();
    const bytes = Uint8Array.from({ length: 3_000_000 }, () => Math.floor(Math.random() * 256));
    const commit = await repository.commit({ 'large.bin': bytes });
    expect(await runGit(['--git-dir', repository.bareDir, 'rev-parse', 'main'])).to.equal(commit);
  });

  it('reads a request body that is compressed', async () => {
    const repository = await world.repository({ 'a.yaml': '1' });
    const answer = await request(`${repository.url}/git-upload-pack`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-git-upload-pack-request',
        'content-encoding': 'gzip',
        'git-protocol': 'version=2',
      },
      body: gzipSync('0014command=ls-refs\n0000'),
    });
    expect(answer.statusCode).to.equal(200);
    expect(await answer.body.text()).to.include('refs/heads/main');
  });

  it('serves nothing but the smart protocol, and no path outside its folder', async () => {
    const repository = await world.repository({ 'a.yaml': '1' });
    for (const path of ['/HEAD', '/config', '/info/refs', '/objects/info/packs', '/../../etc/passwd']) {
      const answer = await request(repository.url + path);
      expect(answer.statusCode, path).to.equal(404);
      await answer.body.dump();
    }
  });

  it('asks for the token where it has one', async () => {
    const guarded = await startGitServer({
      root: await world.tempDir(),
      auth: { username: 'ada', token: 's3cret' },
    });
    try {
      await guarded.createRepository('fleet');
      const url = `${guarded.url('fleet')}/info/refs?service=git-upload-pack`;
      const status = async (credentials?: string): Promise<number> => {
        const authorization = `Basic ${Buffer.from(credentials ?? '').toString('base64')}`;
        const answer = await request(url, credentials === undefined ? {} : { headers: { authorization } });
        await answer.body.dump();
        return answer.statusCode;
      };
      expect(await status()).to.equal(401);
      expect(await status('ada:wrong')).to.equal(401);
      expect(await status('eve:s3cret')).to.equal(401);
      expect(await status('ada:s3cret')).to.equal(200);
    } finally {
      await guarded.close();
    }
  });

  it('says that git is missing', async () => {
    const starting = startGitServer({ root: await world.tempDir(), environment: { PATH: '/nowhere' } });
    const error: unknown = await starting.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(FleetError).with.property('code', 'ConfigInvalid');
    expect(error).to.have.property('message').that.includes('git is not installed');
  });

  it('is seeded with a folder, with the same commit id each time, and grows by the next', async () => {
    const folder = await world.tempDir();
    await writeFiles(folder, {
      'clusters/a/x.yaml': '1',
      'ignored.txt': 'kept',
      '.gitignore': 'ignored.txt\n',
    });
    const [one, two] = await Promise.all(
      ['seed1', 'seed2'].map((name) => world.server.createRepository(name)),
    );
    const first = await seedRepository({ repository: one!, folder, message: 'Seed' });
    expect(await seedRepository({ repository: two!, folder, message: 'Seed' })).to.equal(first);
    expect(await runGit(['--git-dir', one!, 'ls-tree', '-r', '--name-only', 'main'])).to.equal(
      '.gitignore\nclusters/a/x.yaml\nignored.txt',
    );
    await writeFiles(folder, { 'clusters/a/x.yaml': null });
    const second = await seedRepository({ repository: one!, folder, message: 'Remove x' });
    expect(await runGit(['--git-dir', one!, 'rev-parse', 'main', 'main~1'])).to.equal(`${second}\n${first}`);
    expect(await runGit(['--git-dir', one!, 'ls-tree', '-r', '--name-only', 'main'])).to.equal(
      '.gitignore\nignored.txt',
    );
  });
});
