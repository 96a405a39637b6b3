import { expect } from 'chai';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backends, OpenSources, pollOnce, textOf } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld, type TestRepository } from '../harness/git.ts';

const commits = 120;

/** Commits are made up front and the branch is led along them, so that each poll finds exactly one new one. */
async function commitMany(repository: TestRepository): Promise<string[]> {
  for (let number = 1; number <= commits; number++) {
    await repository.write({ 'counter.yaml': `count: ${number}\n` });
    await repository.git('commit', '--quiet', '--all', '-m', `count ${number}`);
  }
  await repository.git('push', '--quiet', 'origin', 'HEAD:refs/heads/all');
  return (await repository.git('rev-list', '--reverse', `HEAD~${commits}..HEAD`)).split('\n');
}

for (const backend of backends) {
  describe(`a mirror over time (${backend})`, () => {
    let world: GitWorld;
    let sources: OpenSources;

    before(async () => {
      world = await startGitWorld();
      sources = new OpenSources(world, backend);
    });
    afterEach(() => sources.closeAll());
    after(() => world.close());

    it('stays small over many commits', async () => {
      const repository = await world.repository({ 'counter.yaml': 'count: 0\n', 'other.yaml': 'x\n' });
      const revisions = await commitMany(repository);
      const stateDir = await world.tempDir('state');
      const source = await sources.open({ url: repository.url, stateDir });
      await pollOnce(source);
      let most = 0;
      for (const revision of revisions) {
        await repository.git('--git-dir', repository.bareDir, 'update-ref', 'refs/heads/main', revision);
        expect((await pollOnce(source)).revision).to.equal(revision);
        most = Math.max(most, await countFiles(stateDir, '.pack'));
      }
      expect(await textOf(await pollOnce(source), 'counter.yaml')).to.equal(`count: ${commits}\n`);
      // Two generations of at most 50 packs each.
      expect(most).to.be.at.most(101);
      // The embedded Git keeps a line a generation, git itself a line a fetch.
      const lines = backend === 'embedded' ? 1 : 51;
      expect(await sizeOf(stateDir, 'shallow')).to.be.at.most(2 * lines * 41);
    }).timeout(120_000);
  });
}

async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

async function countFiles(dir: string, ending: string): Promise<number> {
  return (await filesIn(dir)).filter((path) => path.endsWith(ending)).length;
}

async function sizeOf(dir: string, name: string): Promise<number> {
  const files = (await filesIn(dir)).filter((path) => path.endsWith(`/${name}`));
  const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
