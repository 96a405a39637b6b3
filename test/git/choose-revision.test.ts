import { expect } from 'chai';
import { startFaultProxy } from '../harness/git-fault-proxy.ts';
import { backends, failure, listLeaves, OpenSources, pollOnce, textOf } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld } from '../harness/git.ts';

const signal = (): AbortSignal => AbortSignal.timeout(30_000);

for (const backend of backends) {
  describe(`which revision is followed (${backend})`, () => {
    let world: GitWorld;
    let sources: OpenSources;

    before(async () => {
      world = await startGitWorld();
      sources = new OpenSources(world, backend);
    });
    afterEach(() => sources.closeAll());
    after(() => world.close());

    it('follows a force-pushed branch to an older and to a foreign commit', async () => {
      const repository = await world.repository({ 'a.yaml': 'first' });
      const first = await repository.git('rev-parse', 'HEAD');
      await repository.commit({ 'a.yaml': 'second' });
      const source = await sources.open({ url: repository.url });
      const before = await pollOnce(source);

      await repository.git('reset', '--quiet', '--hard', first);
      await repository.git('push', '--quiet', '--force', 'origin', 'HEAD');
      const older = await pollOnce(source);
      expect(older.revision).to.equal(first);
      expect(await textOf(older, 'a.yaml')).to.equal('first');
      expect(await textOf(before, 'a.yaml')).to.equal('second');

      await repository.git('checkout', '--quiet', '--orphan', 'fresh');
      await repository.git('rm', '--quiet', '-r', '--force', '.');
      await repository.write({ 'b.yaml': 'foreign' });
      await repository.git('add', '--all');
      await repository.git('commit', '--quiet', '-m', 'foreign');
      await repository.git('push', '--quiet', '--force', 'origin', 'HEAD:main');
      const foreign = await pollOnce(source);
      expect(foreign.revision).to.equal(await repository.git('rev-parse', 'HEAD'));
      expect(listLeaves(foreign)).to.deep.equal(['b.yaml']);
    });

    it('follows an annotated tag to its commit, and again when the tag moves', async () => {
      const repository = await world.repository({ 'a.yaml': 'one' });
      const first = await repository.git('rev-parse', 'HEAD');
      await repository.git('tag', '-a', 'v1', '-m', 'first');
      await repository.git('push', '--quiet', 'origin', 'v1');
      const source = await sources.open({ url: repository.url, ref: 'v1' });
      const snapshot = await pollOnce(source);
      expect(snapshot.revision).to.equal(first);
      expect(await pollOnce(source)).to.equal(snapshot);

      const second = await repository.commit({ 'a.yaml': 'two' });
      await repository.git('tag', '--force', '-a', 'v1', '-m', 'moved');
      await repository.git('push', '--quiet', '--force', 'origin', 'v1');
      const moved = await pollOnce(source);
      expect(moved.revision).to.equal(second);
      expect(await textOf(moved, 'a.yaml')).to.equal('two');
    });

    it('refuses a name that is both a branch and a tag, and takes the full name of either', async () => {
      const repository = await world.repository({ 'a.yaml': 'tagged' });
      const tagged = await repository.git('rev-parse', 'HEAD');
      await repository.git('tag', 'rel');
      const branched = await repository.commit({ 'a.yaml': 'branched' });
      await repository.git('push', '--quiet', 'origin', 'refs/tags/rel', 'HEAD:refs/heads/rel');
      const short = await sources.open({ url: repository.url, ref: 'rel' });
      const error = await failure(short.poll(signal()), 'GitRefNotFound');
      expect(error.message).to.include('refs/heads/rel').and.include('refs/tags/rel');
      const branch = await sources.open({ url: repository.url, ref: 'refs/heads/rel' });
      expect((await pollOnce(branch)).revision).to.equal(branched);
      const tag = await sources.open({ url: repository.url, ref: 'refs/tags/rel' });
      expect((await pollOnce(tag)).revision).to.equal(tagged);
    });

    it('does not take a branch for another whose name begins alike', async () => {
      const repository = await world.repository({ 'a.yaml': '1' });
      await repository.git('push', '--quiet', 'origin', 'HEAD:refs/heads/release-2');
      const source = await sources.open({ url: repository.url, ref: 'release' });
      await failure(source.poll(signal()), 'GitRefNotFound');
    });

    it('holds on to a full commit id that no branch ends in', async () => {
      const repository = await world.repository({ 'a.yaml': 'one' });
      const first = await repository.git('rev-parse', 'HEAD');
      await repository.commit({ 'a.yaml': 'two' });
      const source = await sources.open({ url: repository.url, ref: first });
      const snapshot = await pollOnce(source);
      expect(snapshot.revision).to.equal(first);
      expect(await textOf(snapshot, 'a.yaml')).to.equal('one');
      expect(await pollOnce(source)).to.equal(snapshot);
      const missing = await sources.open({ url: repository.url, ref: 'f'.repeat(40) });
      await failure(missing.poll(signal()), 'GitRefNotFound');
    });

    it('finds branches and tags on a server that is older than protocol version 2', async () => {
      const repository = await world.repository({ 'a.yaml': 'one' });
      await repository.git('tag', '-a', 'v1', '-m', 'first');
      await repository.git('push', '--quiet', 'origin', 'v1');
      const commit = await repository.git('rev-parse', 'HEAD');
      const empty = await world.repository();
      const proxy = await startFaultProxy(world.server.port);
      proxy.spoil(() => ({ kind: 'oldProtocol' }));
      try {
        for (const ref of ['main', 'v1', 'HEAD']) {
          const source = await sources.open({ url: proxy.url(repository.name), ref });
          expect((await pollOnce(source)).revision, ref).to.equal(commit);
        }
        const waiting = await sources.open({ url: proxy.url(empty.name) });
        expect(await waiting.poll(signal())).to.equal(null);
      } finally {
        await proxy.close();
      }
    });

    it('waits for the first commit of an empty repository', async () => {
      const repository = await world.repository();
      const source = await sources.open({ url: repository.url });
      expect(await source.poll(signal())).to.equal(null);
      expect(await source.poll(signal())).to.equal(null);
      await repository.commit({ 'a.yaml': 'first' });
      expect(await textOf(await pollOnce(source), 'a.yaml')).to.equal('first');
    });

    it('reports a missing branch of a repository that has others', async () => {
      const repository = await world.repository({ 'a.yaml': '1' });
      const source = await sources.open({ url: repository.url, ref: 'absent' });
      const error = await failure(source.poll(signal()), 'GitRefNotFound');
      expect(error.message).to.equal(`${repository.url} has no branch or tag 'absent'`);
    });

    it('takes a folder as the root, and reports when it is gone rather than showing nothing', async () => {
      const repository = await world.repository({ 'fleet/clusters/a.yaml': '1', 'other.yaml': '2' });
      const source = await sources.open({ url: repository.url, path: 'fleet' });
      const snapshot = await pollOnce(source);
      expect(listLeaves(snapshot)).to.deep.equal(['clusters/a.yaml']);
      await repository.commit({ 'fleet/clusters/a.yaml': null });
      const error = await failure(source.poll(signal()), 'GitRefNotFound');
      expect(error.message).to.include("'fleet'");
      expect(await textOf(snapshot, 'clusters/a.yaml')).to.equal('1');
      await repository.commit({ 'fleet/b.yaml': '3' });
      expect(listLeaves(await pollOnce(source))).to.deep.equal(['b.yaml']);
    });
  });
}
