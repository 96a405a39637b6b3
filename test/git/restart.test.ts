import { expect } from 'chai';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FaultProxy, startFaultProxy } from '../harness/git-fault-proxy.ts';
import { backends, failure, OpenSources, pollOnce, textOf } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld, type TestRepository } from '../harness/git.ts';

const signal = (): AbortSignal => AbortSignal.timeout(30_000);

for (const backend of backends) {
  describe(`what a restart finds (${backend})`, () => {
    let world: GitWorld;
    let proxy: FaultProxy;
    let sources: OpenSources;
    let repository: TestRepository;
    let stateDir: string;
    const children: ChildProcess[] = [];

    before(async () => {
      world = await startGitWorld();
      proxy = await startFaultProxy(world.server.port);
      sources = new OpenSources(world, backend);
    });
    beforeEach(async () => {
      proxy.reset();
      stateDir = await world.tempDir('state');
      repository = await world.repository({
        'a.yaml': 'one',
        'noise.txt': Math.random().toString().repeat(5_000),
      });
    });
    afterEach(async () => {
      for (const child of children.splice(0)) child.kill('SIGKILL');
      await sources.closeAll();
    });
    after(async () => {
      await proxy.close();
      await world.close();
    });

    const open = (): ReturnType<OpenSources['open']> =>
      sources.open({ url: proxy.url(repository.name), stateDir });

    /** Another process on the same state folder. */
    function poller(...more: readonly string[]): { child: ChildProcess; output: Promise<string> } {
      const script = new URL('../harness/poll-once.ts', import.meta.url).pathname;
      const args = [script, backend, proxy.url(repository.name), stateDir, ...more];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      const output = new Promise<string>((resolve) => {
        child.stdout.once('data', (chunk: Buffer) => {
          resolve(chunk.toString('utf8').trim());
        });
        child.once('exit', () => {
          resolve('');
        });
      });
      return { child, output };
    }

    async function mirrorFiles(ending: string): Promise<string[]> {
      const entries = await readdir(stateDir, { recursive: true });
      return entries.filter((path) => path.endsWith(ending)).map((path) => join(stateDir, path));
    }

    it('uses the mirror again and fetches only what is new', async () => {
      await pollOnce(await open());
      await sources.closeAll();
      const newest = await repository.commit({ 'a.yaml': 'two' });
      proxy.reset();
      const snapshot = await pollOnce(await open());
      expect(snapshot.revision).to.equal(newest);
      expect(await textOf(snapshot, 'a.yaml')).to.equal('two');
      expect(proxy.bytes()).to.be.below(5_000);
      expect(await mirrorFiles('.git')).to.have.length(1);
    });

    it('offers the last revision while the server is away', async () => {
      const revision = (await pollOnce(await open())).revision;
      await sources.closeAll();
      proxy.spoil(() => ({ kind: 'status', status: 503 }));
      const source = await open();
      await failure(source.poll(signal()), 'GitUnavailable');
      const known = await source.lastKnown(signal());
      expect(known).to.have.property('revision', revision);
      expect(await textOf(known!, 'a.yaml')).to.equal('one');
      proxy.reset();
      expect(await pollOnce(source)).to.equal(known);
      const fresh = await sources.open({ url: repository.url });
      expect(await fresh.lastKnown(signal())).to.equal(null);
    });

    it('copies anew what is damaged, and puts the damaged copy aside', async () => {
      await pollOnce(await open());
      await sources.closeAll();
      for (const path of await mirrorFiles('.pack')) await writeFile(path, 'PACK no more');
      const snapshot = await pollOnce(await open());
      expect(await textOf(snapshot, 'a.yaml')).to.equal('one');
      expect(await mirrorFiles('/damaged')).to.have.length(1);
    });

    it('notices damage while it runs, and mends it with the next poll', async () => {
      const source = await open();
      const snapshot = await pollOnce(source);
      const packs = await mirrorFiles('.pack');
      for (const path of packs) await writeFile(path, 'PACK no more');
      await failure(snapshot.read('a.yaml'), 'GitUnavailable');
      expect(await pollOnce(source)).to.equal(snapshot);
      expect(await textOf(snapshot, 'a.yaml')).to.equal('one');
    });

    it('goes on after a kill in the middle of the first copy', async () => {
      proxy.spoil(({ method, path }) =>
        method === 'POST' && path.endsWith('upload-pack') && proxy.requests.length > 3
          ? { kind: 'stall', afterBytes: 200 }
          : { kind: 'none' },
      );
      const { child } = poller();
      while (proxy.requests.length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
      await killed(child);
      expect(await mirrorFiles('.git')).to.have.length(1);
      proxy.reset();
      const snapshot = await pollOnce(await open());
      expect(await textOf(snapshot, 'a.yaml')).to.equal('one');
      expect(await mirrorFiles('.git')).to.have.length(1);
    });

    it('gives each of two processes on one state folder a mirror, and the mirror of a killed one to the next', async () => {
      const first = poller('stay');
      const revision = await repository.git('rev-parse', 'HEAD');
      expect(await first.output).to.equal(revision);
      expect(await poller().output).to.equal(revision);
      expect(await mirrorFiles('.git')).to.have.length(2);
      await killed(first.child);
      proxy.reset();
      expect((await pollOnce(await open())).revision).to.equal(revision);
      expect(await mirrorFiles('.git')).to.have.length(2);
      expect(proxy.requests).to.have.length(2);
    });
  });
}

/** Once this is done the operating system has let go of what the process held. */
function killed(child: ChildProcess): Promise<unknown> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  return gone;
}
