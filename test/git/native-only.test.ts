import { expect } from 'chai';
import { rm } from 'node:fs/promises';
import { runGit } from '../../src/local/git-server-run.ts';
import { failure, OpenSources, pollOnce, textOf } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld, type TestRepository } from '../harness/git.ts';

const signal = (): AbortSignal => AbortSignal.timeout(30_000);

describe('what only the native Git can do', () => {
  let world: GitWorld;
  let sources: OpenSources;

  before(async () => {
    world = await startGitWorld();
    sources = new OpenSources(world, 'auto');
  });
  afterEach(() => sources.closeAll());
  after(() => world.close());

  /** A repository with SHA-256 ids and nothing in it. */
  async function emptySha256(): Promise<TestRepository> {
    const repository = await world.repository();
    for (const [dir, ...options] of [[repository.bareDir, '--bare'], [repository.dir]] as const) {
      await rm(dir, { recursive: true });
      await runGit(['init', '--quiet', ...options, '--initial-branch=main', '--object-format=sha256', dir]);
    }
    await repository.git('remote', 'add', 'origin', repository.url);
    return repository;
  }

  for (const backend of ['native', 'auto'] as const) {
    it(`reads a repository with SHA-256 ids over HTTP (${backend})`, async () => {
      const repository = await emptySha256();
      const source = await sources.open({ url: repository.url, backend });
      expect(await source.poll(signal())).to.equal(null);
      const first = await repository.commit({ 'a/b.yaml': 'one' });
      const before = await pollOnce(source);
      expect(before.revision).to.equal(first).and.have.length(64);
      const second = await repository.commit({ 'a/b.yaml': 'two' });
      const after = await pollOnce(source);
      expect(after.revision).to.equal(second);
      expect(await textOf(before, 'a/b.yaml')).to.equal('one');
      expect(await textOf(after, 'a/b.yaml')).to.equal('two');
      const pinned = await sources.open({ url: repository.url, backend, ref: first });
      expect(await textOf(await pollOnce(pinned), 'a/b.yaml')).to.equal('one');
    });

    it(`reads one on this machine (${backend})`, async () => {
      const repository = await emptySha256();
      const first = await repository.commit({ 'a.yaml': 'one' });
      for (const url of [repository.bareDir, repository.dir]) {
        const snapshot = await pollOnce(await sources.open({ url, backend }));
        expect(snapshot.revision).to.equal(first);
        expect(await textOf(snapshot, 'a.yaml')).to.equal('one');
      }
    });
  }

  it('is told by the embedded Git', async () => {
    const repository = await emptySha256();
    await repository.commit({ 'a.yaml': 'one' });
    for (const url of [repository.url, repository.dir]) {
      const source = await sources.open({ url, backend: 'embedded' });
      const error = await failure(source.poll(signal()), 'GitUnavailable');
      expect(error.message)
        .to.match(/SHA-?256/i)
        .and.include('the embedded Git cannot read');
    }
  });

  it('is told together with what is missing for it', async () => {
    const repository = await emptySha256();
    await repository.commit({ 'a.yaml': 'one' });
    const source = await sources.open({ url: repository.url, environment: { PATH: '/nowhere' } });
    const error = await failure(source.poll(signal()), 'GitUnavailable');
    expect(error.message).to.include('sha256').and.include('there is no git on PATH');
  });

  it('is taken up at once by the next start, which finds the revision without asking', async () => {
    const repository = await emptySha256();
    const revision = await repository.commit({ 'a.yaml': 'one' });
    const stateDir = await world.tempDir('state');
    const first = await sources.open({ url: repository.url, stateDir });
    await pollOnce(first);
    await sources.closeAll();
    const second = await sources.open({ url: repository.url, stateDir });
    const known = await second.lastKnown(signal());
    expect(known).to.have.property('revision', revision);
    expect(await textOf(known!, 'a.yaml')).to.equal('one');
  });

  it('is not asked for where the embedded Git does', async () => {
    const repository = await world.repository({ 'a.yaml': 'one' });
    const source = await sources.open({ url: repository.url, environment: { PATH: '/nowhere' } });
    expect(await textOf(await pollOnce(source), 'a.yaml')).to.equal('one');
  });
});
