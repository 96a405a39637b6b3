import { expect } from 'chai';
import { join } from 'node:path';
import { backends, failure, listLeaves, OpenSources, pollOnce, textOf } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld, type TestRepository } from '../harness/git.ts';

const signal = (): AbortSignal => AbortSignal.timeout(30_000);

for (const backend of backends) {
  describe(`a repository on this machine (${backend})`, () => {
    let world: GitWorld;
    let sources: OpenSources;
    let repository: TestRepository;

    before(async () => {
      world = await startGitWorld();
      sources = new OpenSources(world, backend);
    });
    beforeEach(async () => {
      repository = await world.repository({ 'a.yaml': 'committed' });
    });
    afterEach(() => sources.closeAll());
    after(() => world.close());

    it('is read at its ref, whatever its work tree holds', async () => {
      const source = await sources.open({ url: repository.dir });
      await repository.write({ 'a.yaml': 'being edited', 'new.yaml': 'not added' });
      const first = await pollOnce(source);
      expect(listLeaves(first)).to.deep.equal(['a.yaml']);
      expect(await textOf(first, 'a.yaml')).to.equal('committed');
      expect(await pollOnce(source)).to.equal(first);
      const second = await repository.commit({ 'a.yaml': 'second' });
      expect((await pollOnce(source)).revision).to.equal(second);
    });

    it('is read when it is bare, packed and cut down by gc while it is open', async () => {
      const source = await sources.open({ url: repository.bareDir });
      const before = await pollOnce(source);
      await repository.commit({ 'b.yaml': 'more' });
      await repository.git('--git-dir', repository.bareDir, 'gc', '--quiet', '--prune=now');
      const after = await pollOnce(source);
      expect(await textOf(after, 'b.yaml')).to.equal('more');
      expect(await textOf(before, 'a.yaml')).to.equal('committed');
    });

    it('is read through a linked work tree and through a clone that borrows its objects', async () => {
      const linked = join(await world.tempDir(), 'linked');
      await repository.git('worktree', 'add', '--quiet', linked, '-b', 'topic');
      const fromLinked = await sources.open({ url: linked, ref: 'HEAD' });
      expect(await textOf(await pollOnce(fromLinked), 'a.yaml')).to.equal('committed');
      const borrower = join(await world.tempDir(), 'borrower');
      await repository.git('clone', '--quiet', '--shared', repository.bareDir, borrower);
      const fromBorrower = await sources.open({ url: borrower });
      expect(await textOf(await pollOnce(fromBorrower), 'a.yaml')).to.equal('committed');
    });

    it('may be followed by a tag, a commit id and HEAD', async () => {
      const commit = await repository.git('rev-parse', 'HEAD');
      await repository.git('tag', '-a', 'v1', '-m', 'first');
      await repository.commit({ 'a.yaml': 'later' });
      for (const ref of ['v1', 'refs/tags/v1', commit]) {
        const source = await sources.open({ url: repository.dir, ref });
        expect((await pollOnce(source)).revision, ref).to.equal(commit);
      }
      const head = await sources.open({ url: repository.dir, ref: 'HEAD' });
      expect((await pollOnce(head)).revision).to.equal(await repository.git('rev-parse', 'HEAD'));
      const absent = await sources.open({ url: repository.dir, ref: 'absent' });
      await failure(absent.poll(signal()), 'GitRefNotFound');
    });

    it('may be empty at first', async () => {
      const empty = await world.repository();
      const source = await sources.open({ url: empty.bareDir });
      expect(await source.poll(signal())).to.equal(null);
      await empty.commit({ 'a.yaml': 'first' });
      expect(await textOf(await pollOnce(source), 'a.yaml')).to.equal('first');
    });

    it('is reported when it is no repository', async () => {
      const source = await sources.open({ url: await world.tempDir() });
      expect((await failure(source.poll(signal()), 'GitUnavailable')).message).to.include(
        'no Git repository',
      );
    });
  });
}
