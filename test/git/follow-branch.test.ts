import { expect } from 'chai';
import { nodeAt } from '../../src/model/snapshot.ts';
import { startFaultProxy, type FaultProxy } from '../harness/git-fault-proxy.ts';
import { backends, OpenSources, pollOnce, textOf } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld, type TestRepository } from '../harness/git.ts';

/** Content that does not compress, so that a fetch of all of it shows. */
function noise(seed: number): string {
  return Array.from({ length: 200 }, (_, index) => Math.sin(seed * 1000 + index).toString(36)).join('\n');
}

for (const backend of backends) {
  describe(`following a branch (${backend})`, () => {
    let world: GitWorld;
    let proxy: FaultProxy;
    let sources: OpenSources;
    let repository: TestRepository;

    before(async () => {
      world = await startGitWorld();
      proxy = await startFaultProxy(world.server.port);
      sources = new OpenSources(world, backend);
    });
    beforeEach(async () => {
      const files = Array.from(
        { length: 100 },
        (_, index) => [`apps/app${index}/values.yaml`, noise(index)] as const,
      );
      repository = await world.repository({
        ...Object.fromEntries(files),
        'clusters/east/web.yaml': 'kind: ConfigMap\n',
      });
      proxy.reset();
    });
    afterEach(() => sources.closeAll());
    after(async () => {
      await proxy.close();
      await world.close();
    });

    it('reads the tree and the files of the newest commit', async () => {
      const snapshot = await pollOnce(await sources.open({ url: repository.url }));
      expect(snapshot.revision).to.equal(await repository.git('rev-parse', 'HEAD'));
      expect(nodeAt(snapshot.tree, 'apps')).to.have.property(
        'oid',
        await repository.git('rev-parse', 'HEAD:apps'),
      );
      expect(await textOf(snapshot, 'clusters/east/web.yaml')).to.equal('kind: ConfigMap\n');
      expect(await textOf(snapshot, 'apps/app7/values.yaml')).to.equal(noise(7));
    });

    it('asks for the refs and for nothing else while nothing moved', async () => {
      const source = await sources.open({ url: proxy.url(repository.name) });
      const first = await pollOnce(source);
      proxy.reset();
      expect(await pollOnce(source)).to.equal(first);
      expect(proxy.requests.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
        `GET /${repository.name}.git/info/refs?service=git-upload-pack`,
        `POST /${repository.name}.git/git-upload-pack`,
      ]);
    });

    it('fetches what a commit changed and keeps the rest', async () => {
      const source = await sources.open({ url: proxy.url(repository.name) });
      const first = await pollOnce(source);
      const wholeBytes = proxy.bytes();
      await repository.commit({ 'clusters/east/web.yaml': 'kind: Secret\n' });
      proxy.reset();
      const second = await pollOnce(source);
      expect(await textOf(second, 'clusters/east/web.yaml')).to.equal('kind: Secret\n');
      expect(await textOf(first, 'clusters/east/web.yaml')).to.equal('kind: ConfigMap\n');
      expect(nodeAt(second.tree, 'apps')).to.equal(nodeAt(first.tree, 'apps'));
      expect(wholeBytes).to.be.above(100_000);
      expect(proxy.bytes()).to.be.below(5_000);
    });

    it('gives several commits between two polls as the last of them', async () => {
      const source = await sources.open({ url: repository.url });
      await pollOnce(source);
      await repository.commit({ 'a.yaml': '1' });
      await repository.commit({ 'a.yaml': null, 'b.yaml': '2' });
      const newest = await repository.commit({ 'b.yaml': '3' });
      const snapshot = await pollOnce(source);
      expect(snapshot.revision).to.equal(newest);
      expect(await textOf(snapshot, 'b.yaml')).to.equal('3');
      expect(nodeAt(snapshot.tree, 'a.yaml')).to.equal(undefined);
    });

    it('runs polls that overlap one after the other', async () => {
      const source = await sources.open({ url: repository.url });
      const snapshots = await Promise.all([pollOnce(source), pollOnce(source), pollOnce(source)]);
      expect(new Set(snapshots).size).to.equal(1);
    });

    it('stops at once when the poll is aborted, and goes on with the next', async () => {
      const source = await sources.open({ url: proxy.url(repository.name) });
      proxy.spoil(() => ({ kind: 'mute' }));
      const controller = new AbortController();
      const polling = source.poll(controller.signal).catch((error: unknown) => error);
      setTimeout(() => {
        controller.abort(new Error('enough'));
      }, 200);
      expect(await polling).to.have.property('message', 'enough');
      proxy.reset();
      expect((await pollOnce(source)).revision).to.have.length(40);
    });
  });
}
