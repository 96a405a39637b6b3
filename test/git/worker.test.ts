import { expect } from 'chai';
import { Worker } from 'node:worker_threads';
import { failure, OpenSources, pollOnce, textOf } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld } from '../harness/git.ts';

describe('the worker of the embedded Git', () => {
  let world: GitWorld;
  let sources: OpenSources;

  before(async () => {
    world = await startGitWorld();
    sources = new OpenSources(world, 'embedded');
  });
  afterEach(() => sources.closeAll());
  after(() => world.close());

  it('is started anew when it died', async () => {
    const repository = await world.repository({ 'a.yaml': 'one' });
    const workers: Worker[] = [];
    const source = await sources.open({
      url: repository.url,
      startWorker: (setup) => {
        const file = new URL('../../src/git/worker/git-worker.ts', import.meta.url);
        const worker = new Worker(file, { workerData: setup });
        workers.push(worker);
        return worker;
      },
    });
    const snapshot = await pollOnce(source);
    const polling = failure(source.poll(AbortSignal.timeout(30_000)), 'GitUnavailable');
    // A turn later the request is on its way.
    await new Promise((resolve) => setImmediate(resolve));
    await workers[0]?.terminate();
    expect((await polling).message).to.include('the Git worker stopped');
    expect(await textOf(snapshot, 'a.yaml')).to.equal('one');
    expect(await pollOnce(source)).to.equal(snapshot);
    expect(workers).to.have.length(2);
  });
});
