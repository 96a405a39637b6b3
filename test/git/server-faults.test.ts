import { expect } from 'chai';
import { type FaultProxy, type SeenRequest, startFaultProxy } from '../harness/git-fault-proxy.ts';
import { backends, failure, OpenSources, pollOnce, quickTimeouts, textOf } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld, type TestRepository } from '../harness/git.ts';

const signal = (): AbortSignal => AbortSignal.timeout(30_000);
const isPack = ({ method }: SeenRequest): boolean => method === 'POST';

for (const backend of backends) {
  describe(`a Git server in trouble (${backend})`, () => {
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
      proxy.reset();
      repository = await world.repository({ 'a.yaml': 'good', 'big.txt': 'x'.repeat(100_000) });
    });
    afterEach(() => sources.closeAll());
    after(async () => {
      await proxy.close();
      await world.close();
    });

    const faults = [
      { name: 'HTTP 503', fault: { kind: 'status', status: 503 }, message: 'answered HTTP 503' },
      {
        name: 'a page of HTML',
        fault: {
          kind: 'status',
          status: 200,
          headers: { 'content-type': 'text/html' },
          body: '<html>Sign in</html>',
        },
        message: 'answered with text/html, not with Git',
      },
      {
        name: 'something that only claims to be Git',
        fault: {
          kind: 'status',
          status: 200,
          headers: { 'content-type': 'application/x-git-upload-pack-advertisement' },
          body: 'no packets at all',
        },
        message: 'answered with something that is not Git',
      },
      { name: 'HTTP 404', fault: { kind: 'status', status: 404 }, message: 'has no repository there' },
      { name: 'silence', fault: { kind: 'mute' }, message: 'did not answer within 1 s' },
    ] as const;

    for (const { name, fault, message } of faults) {
      it(`reports ${name}, keeps the last revision readable and recovers`, async () => {
        const source = await sources.open({ url: proxy.url(repository.name), timeouts: quickTimeouts });
        const snapshot = await pollOnce(source);
        proxy.spoil(() => fault);
        const error = await failure(source.poll(signal()), 'GitUnavailable');
        expect(error.message).to.include(proxy.url(repository.name)).and.include(message);
        expect(await textOf(snapshot, 'a.yaml')).to.equal('good');
        proxy.reset();
        expect(await pollOnce(source)).to.equal(snapshot);
      });
    }

    it('keeps to the wait that the server asks for', async () => {
      const source = await sources.open({ url: proxy.url(repository.name) });
      proxy.spoil(() => ({ kind: 'status', status: 429, headers: { 'retry-after': '7' } }));
      expect(await failure(source.poll(signal()), 'GitUnavailable')).to.have.property('retryAfterMs', 7_000);
    });

    it('reports a host name that does not resolve', async () => {
      const source = await sources.open({ url: 'http://no-such-host.invalid/fleet.git' });
      const error = await failure(source.poll(signal()), 'GitUnavailable');
      expect(error.message)
        .to.include('http://no-such-host.invalid/fleet.git')
        .and.include('does not resolve');
    });

    it('reports a refused connection', async () => {
      const source = await sources.open({ url: 'http://127.0.0.1:1/fleet.git' });
      expect((await failure(source.poll(signal()), 'GitUnavailable')).message).to.include(
        'refused the connection',
      );
    });

    it('reports a connection that breaks in the middle of a pack, and fetches it whole the next time', async () => {
      const source = await sources.open({ url: proxy.url(repository.name), timeouts: quickTimeouts });
      proxy.spoil((request) => (isPack(request) ? { kind: 'cut', afterBytes: 300 } : { kind: 'none' }));
      await failure(source.poll(signal()), 'GitUnavailable');
      proxy.reset();
      expect(await textOf(await pollOnce(source), 'a.yaml')).to.equal('good');
    });

    it('reports a pack that ends early as if it were complete, and mends that with the next poll', async () => {
      const source = await sources.open({ url: proxy.url(repository.name) });
      const snapshot = await pollOnce(source);
      const newest = await repository.commit({ 'a.yaml': Math.random().toString().repeat(50) });
      proxy.spoil((request) => (isPack(request) ? { kind: 'truncate', afterBytes: 250 } : { kind: 'none' }));
      await failure(source.poll(signal()), 'GitUnavailable');
      expect(await textOf(snapshot, 'a.yaml')).to.equal('good');
      proxy.reset();
      expect((await pollOnce(source)).revision).to.equal(newest);
    });

    it('reports a server that falls silent in the middle of a pack', async () => {
      const source = await sources.open({ url: proxy.url(repository.name), timeouts: quickTimeouts });
      proxy.spoil((request) => (isPack(request) ? { kind: 'stall', afterBytes: 300 } : { kind: 'none' }));
      const error = await failure(source.poll(signal()), 'GitUnavailable');
      expect(error.message).to.include('fell silent for 1 s');
    });

    it('holds a poll as a whole to its deadline', async () => {
      const source = await sources.open({ url: proxy.url(repository.name), timeouts: { totalMs: 500 } });
      proxy.spoil(() => ({ kind: 'mute' }));
      const error = await failure(source.poll(signal()), 'GitUnavailable');
      expect(error.message).to.include('within 0.5 s');
      proxy.reset();
      const patient = await sources.open({ url: proxy.url(repository.name) });
      expect((await pollOnce(patient)).revision).to.have.length(40);
    });

    it('waits for a server that thinks for longer than the connection may rest', async () => {
      const source = await sources.open({ url: proxy.url(repository.name) });
      proxy.spoil((request) => (isPack(request) ? { kind: 'delay', delayMs: 5_500 } : { kind: 'none' }));
      expect(await textOf(await pollOnce(source), 'a.yaml')).to.equal('good');
    }).timeout(40_000);

    it('reports a deleted branch and goes on when it is back', async () => {
      const source = await sources.open({ url: repository.url });
      const snapshot = await pollOnce(source);
      await repository.git('push', '--quiet', 'origin', 'HEAD:refs/heads/other');
      await repository.git('--git-dir', repository.bareDir, 'update-ref', '-d', 'refs/heads/main');
      await failure(source.poll(signal()), 'GitRefNotFound');
      expect(await textOf(snapshot, 'a.yaml')).to.equal('good');
      const back = await repository.commit({ 'a.yaml': 'back' });
      expect((await pollOnce(source)).revision).to.equal(back);
    });

    it('does not take a repository that lost every branch for one that never had any', async () => {
      const source = await sources.open({ url: repository.url });
      await pollOnce(source);
      await repository.git('--git-dir', repository.bareDir, 'update-ref', '-d', 'refs/heads/main');
      await failure(source.poll(signal()), 'GitRefNotFound');
    });

    it('refuses a revision that is larger than allowed', async () => {
      const bytes = Uint8Array.from(
        { length: 2_000_000 },
        (_, index) => (index * index * 31 + (index >> 3) * 17) % 251,
      );
      await repository.commit({
        'video.bin': Buffer.from(bytes).toString('base64') + Math.random().toString(),
      });
      const source = await sources.open({ url: repository.url, maxPackBytes: 1_000 });
      const error = await failure(source.poll(signal()), 'GitUnavailable');
      expect(error.message).to.include('keep large files out');
    });

    it('refuses to read a file that is larger than allowed, and reads the others', async () => {
      const source = await sources.open({ url: repository.url, maxFileBytes: 1_000 });
      const snapshot = await pollOnce(source);
      await failure(snapshot.read('big.txt'), 'ManifestInvalid');
      expect(await textOf(snapshot, 'a.yaml')).to.equal('good');
    });
  });
}
