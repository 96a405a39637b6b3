import { expect } from 'chai';
import { nodeAt } from '../../src/model/snapshot.ts';
import { backends, failure, listLeaves, OpenSources, pollOnce, textOf } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld } from '../harness/git.ts';

for (const backend of backends) {
  describe(`links in the repository (${backend})`, () => {
    let world: GitWorld;
    let sources: OpenSources;

    before(async () => {
      world = await startGitWorld();
      sources = new OpenSources(world, backend);
    });
    afterEach(() => sources.closeAll());
    after(() => world.close());

    it('are followed to files and directories within it, also out of the root folder', async () => {
      const repository = await world.repository({
        'common/base.yaml': 'base',
        'fleet/clusters/a/common': { linkTo: '../../../common' },
        'fleet/clusters/a/one.yaml': { linkTo: '../../../common/base.yaml' },
      });
      const snapshot = await pollOnce(await sources.open({ url: repository.url, path: 'fleet' }));
      expect(listLeaves(snapshot)).to.deep.equal(['clusters/a/common/base.yaml', 'clusters/a/one.yaml']);
      expect(await textOf(snapshot, 'clusters/a/common/base.yaml')).to.equal('base');
      expect(await textOf(snapshot, 'clusters/a/one.yaml')).to.equal('base');
    });

    it('give their directory a new id when only what they point to changes', async () => {
      const repository = await world.repository({
        'common/base.yaml': 'base',
        'clusters/a/common': { linkTo: '../../common' },
        'clusters/b/own.yaml': 'own',
      });
      const source = await sources.open({ url: repository.url });
      const before = await pollOnce(source);
      await repository.commit({ 'common/base.yaml': 'changed' });
      const after = await pollOnce(source);
      expect(await textOf(after, 'clusters/a/common/base.yaml')).to.equal('changed');
      expect(nodeAt(after.tree, 'clusters/a')?.oid).to.not.equal(nodeAt(before.tree, 'clusters/a')?.oid);
      expect(nodeAt(after.tree, 'clusters/b')).to.equal(nodeAt(before.tree, 'clusters/b'));
    });

    it('stay links, with a reason, where they cannot be followed safely', async () => {
      const repository = await world.repository({
        'clusters/a/real.yaml': 'real',
        'clusters/a/loop': { linkTo: '.' },
        'clusters/a/outside.yaml': { linkTo: '../../../etc/passwd' },
        'clusters/a/absolute.yaml': { linkTo: '/etc/passwd' },
        'clusters/a/dangling.yaml': { linkTo: 'nothing.yaml' },
        'clusters/a/circle': { linkTo: 'circle' },
      });
      const snapshot = await pollOnce(await sources.open({ url: repository.url }));
      expect(listLeaves(snapshot)).to.deep.equal([
        'clusters/a/absolute.yaml (symlink)',
        'clusters/a/circle (symlink)',
        'clusters/a/dangling.yaml (symlink)',
        'clusters/a/loop (symlink)',
        'clusters/a/outside.yaml (symlink)',
        'clusters/a/real.yaml',
      ]);
      const reasons = {
        'clusters/a/loop': 'a directory that it lies in',
        'clusters/a/outside.yaml': 'out of the repository',
        'clusters/a/absolute.yaml': 'absolute',
        'clusters/a/dangling.yaml': 'clusters/a/nothing.yaml, which does not exist',
        'clusters/a/circle': 'a circle of links',
      };
      for (const [path, reason] of Object.entries(reasons)) {
        expect((await failure(snapshot.read(path), 'ManifestInvalid')).message).to.include(reason);
      }
    });

    it('leave a submodule alone', async () => {
      const repository = await world.repository({ 'a.yaml': '1' });
      const commit = await repository.git('rev-parse', 'HEAD');
      await repository.git('update-index', '--add', '--cacheinfo', `160000,${commit},vendor`);
      await repository.git('commit', '--quiet', '-m', 'submodule');
      await repository.git('push', '--quiet', 'origin', 'HEAD');
      const snapshot = await pollOnce(await sources.open({ url: repository.url }));
      expect(listLeaves(snapshot)).to.deep.equal(['a.yaml', 'vendor (submodule)']);
      await failure(snapshot.read('vendor'), 'ManifestInvalid');
    });
  });
}
