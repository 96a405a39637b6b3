import { expect } from 'chai';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FaultProxy, startFaultProxy } from '../harness/git-fault-proxy.ts';
import { backends, failure, OpenSources, pollOnce } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld, type TestRepository } from '../harness/git.ts';

const token = 'tok-4Xq9zZ';
const signal = (): AbortSignal => AbortSignal.timeout(30_000);

for (const backend of backends) {
  describe(`credentials for the Git server (${backend})`, () => {
    let world: GitWorld;
    let proxy: FaultProxy;
    let sources: OpenSources;
    let repository: TestRepository;

    before(async () => {
      world = await startGitWorld({ token });
      proxy = await startFaultProxy(world.server.port);
      sources = new OpenSources(world, backend);
      repository = await world.repository({ 'a.yaml': '1' });
    });
    beforeEach(() => {
      proxy.reset();
    });
    afterEach(() => sources.closeAll());
    after(async () => {
      await proxy.close();
      await world.close();
    });

    const withToken = (url: string, secret = token): string => url.replace('://', `://bot:${secret}@`);

    it('uses those in the URL and stores them nowhere', async () => {
      const stateDir = await world.tempDir('state');
      const source = await sources.open({ url: withToken(repository.url), stateDir });
      await pollOnce(source);
      const files = (await readdir(stateDir, { recursive: true, withFileTypes: true })).filter((entry) =>
        entry.isFile(),
      );
      expect(files).to.not.have.length(0);
      for (const { parentPath, name } of files) {
        const content = await readFile(join(parentPath, name), 'latin1');
        expect(join(parentPath, name) + content).to.not.include(token);
        expect(content).to.not.include(Buffer.from(`bot:${token}`).toString('base64'));
      }
    });

    it('reads a token file at each poll, so that a token may be renewed', async () => {
      const tokenFile = join(await world.tempDir(), 'token');
      await writeFile(tokenFile, 'expired\n');
      const source = await sources.open({ url: repository.url, auth: { tokenFile } });
      await failure(source.poll(signal()), 'GitUnauthorized');
      await writeFile(tokenFile, `${token}\n`);
      await pollOnce(source);
      await writeFile(tokenFile, '');
      await failure(source.poll(signal()), 'GitUnauthorized');
    });

    it('names a token file that is missing', async () => {
      const source = await sources.open({ url: repository.url, auth: { tokenFile: '/no/such/token' } });
      const error = await failure(source.poll(signal()), 'GitUnauthorized');
      expect(error.message).to.include('/no/such/token');
    });

    for (const status of [401, 403]) {
      it(`asks once and reports HTTP ${status} without a secret`, async () => {
        const source = await sources.open({ url: withToken(proxy.url(repository.name)) });
        proxy.spoil(() => ({ kind: 'status', status, body: `no, ${token}` }));
        const error = await failure(source.poll(signal()), 'GitUnauthorized');
        expect(JSON.stringify([error, error.message, error.stack, error.cause])).to.not.include(token);
        expect(error.message).to.include(proxy.url(repository.name));
        expect(proxy.requests).to.have.length(1);
      });
    }

    it('never follows a redirect to another server', async () => {
      const other = await startFaultProxy(world.server.port);
      try {
        const source = await sources.open({ url: withToken(proxy.url(repository.name)) });
        const location = `${other.url(repository.name)}/info/refs?service=git-upload-pack`;
        proxy.spoil(() => ({ kind: 'status', status: 302, headers: { location } }));
        const error = await failure(source.poll(signal()), 'GitUnavailable');
        expect(error.message).to.include(`http://127.0.0.1:${other.port}/`).and.not.include(token);
        expect(other.requests).to.deep.equal([]);
      } finally {
        await other.close();
      }
    });

    it('follows a repository that was renamed on the same server', async () => {
      const source = await sources.open({ url: withToken(proxy.url('old-name')) });
      proxy.spoil(({ path }) =>
        path.startsWith('/old-name.git')
          ? { kind: 'status', status: 301, headers: { location: path.replace('old-name', repository.name) } }
          : { kind: 'none' },
      );
      expect((await pollOnce(source)).revision).to.equal(await repository.git('rev-parse', 'HEAD'));
    });

    it('gives up on a redirect in a circle', async () => {
      const source = await sources.open({ url: proxy.url(repository.name) });
      proxy.spoil(({ path }) => ({ kind: 'status', status: 307, headers: { location: path } }));
      expect((await failure(source.poll(signal()), 'GitUnavailable')).message).to.include('circle');
    });
  });
}
