import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultProxy, startFaultProxy } from '../harness/git-fault-proxy.ts';
import { failure, OpenSources, pollOnce, quickTimeouts, textOf } from '../harness/git-source.ts';
import { type GitWorld, startGitWorld } from '../harness/git.ts';
import { type Programs, programsIn } from '../harness/programs.ts';

const token = 'tok-7Rb2wK';
const signal = (): AbortSignal => AbortSignal.timeout(30_000);
const isFetch = ({ method }: { method: string }, { requests }: FaultProxy): boolean =>
  method === 'POST' && requests.length > 3;

describe('the native Git and its program', () => {
  let world: GitWorld;
  let proxy: FaultProxy;
  let sources: OpenSources;
  let programs: Programs;

  before(async () => {
    world = await startGitWorld({ token });
    proxy = await startFaultProxy(world.server.port);
    sources = new OpenSources(world, 'native');
  });
  beforeEach(async () => {
    proxy.reset();
    programs = programsIn(await world.tempDir('programs'));
  });
  afterEach(() => sources.closeAll());
  after(async () => {
    await proxy.close();
    await world.close();
  });

  const withToken = (url: string): string => url.replace('://', `://bot:${token}@`);

  it('says what to install when git is missing', async () => {
    const repository = await world.repository({ 'a.yaml': '1' });
    const source = await sources.open({ url: repository.url, environment: { PATH: '/nowhere' } });
    const error = await failure(source.poll(signal()), 'GitUnavailable');
    expect(error.message).to.include('there is no git on PATH').and.include('apt-get install git');
  });

  it('says so when git is too old, and takes one that was installed meanwhile', async () => {
    await programs.write('git', 'echo "git version 2.17.1"');
    const repository = await world.repository({ 'a.yaml': '1' });
    const source = await sources.open({
      url: withToken(repository.url),
      environment: programs.environment,
    });
    const error = await failure(source.poll(signal()), 'GitUnavailable');
    expect(error.message).to.include('git version 2.17.1 is too old').and.include('2.32 or newer');
    await programs.write('git', 'exec "$real" "$@"');
    expect(await textOf(await pollOnce(source), 'a.yaml')).to.equal('1');
  });

  it('is given the token neither as an argument nor in a file that it reads', async () => {
    await programs.write('git', 'echo "$*" >> "$log"; cat "$GIT_CONFIG_GLOBAL" >> "$log"; exec "$real" "$@"');
    const repository = await world.repository({ 'a.yaml': '1' });
    const source = await sources.open({
      url: withToken(repository.url),
      environment: programs.environment,
    });
    await pollOnce(source);
    const log = (await programs.log()).join('\n');
    expect(log).to.include('fetch ').and.include('cat-file').and.include('[safe]');
    expect(log)
      .to.not.include(token)
      .and.not.include(Buffer.from(`bot:${token}`).toString('base64'));
  });

  it('follows no redirect while it fetches', async () => {
    const repository = await world.repository({ 'a.yaml': '1' });
    const other = await startFaultProxy(world.server.port);
    try {
      proxy.spoil(({ path }) => {
        if (proxy.requests.length <= 2) return { kind: 'none' };
        const location = `http://127.0.0.1:${other.port}${path}`;
        return { kind: 'status', status: 302, headers: { location } };
      });
      const source = await sources.open({ url: withToken(proxy.url(repository.name)) });
      const error = await failure(source.poll(signal()), 'GitUnavailable');
      expect(error.message).to.not.include(token);
      expect(proxy.requests.length).to.be.above(2);
      expect(other.requests).to.deep.equal([]);
    } finally {
      await other.close();
    }
  });

  it('is refused half-way without showing what the server said', async () => {
    const repository = await world.repository({ 'a.yaml': '1' });
    proxy.spoil((request) =>
      isFetch(request, proxy) ? { kind: 'status', status: 403, body: `no, ${token}` } : { kind: 'none' },
    );
    const source = await sources.open({ url: withToken(proxy.url(repository.name)) });
    const error = await failure(source.poll(signal()), 'GitUnauthorized');
    expect(error.message).to.include('refused the credentials').and.not.include(token);
  });

  it('is ended when the server falls silent in the middle of a pack', async () => {
    const noise = Array.from({ length: 5_000 }, () => Math.random().toString(36)).join('');
    const repository = await world.repository({ 'noise.txt': noise });
    proxy.spoil((request) =>
      isFetch(request, proxy) ? { kind: 'stall', afterBytes: 20_000 } : { kind: 'none' },
    );
    const source = await sources.open({
      url: withToken(proxy.url(repository.name)),
      timeouts: quickTimeouts,
    });
    const error = await failure(source.poll(signal()), 'GitUnavailable');
    expect(error.message).to.include('fell silent for 1 s');
    proxy.reset();
    expect(await textOf(await pollOnce(source), 'noise.txt')).to.equal(noise);
  });

  it('leaves nothing running when a poll is aborted', async () => {
    await programs.write('git', 'test "$3" = fetch && echo $$ >> "$log"; exec "$real" "$@"');
    const repository = await world.repository({ 'a.yaml': '1' });
    proxy.spoil((request) => (isFetch(request, proxy) ? { kind: 'mute' } : { kind: 'none' }));
    const source = await sources.open({
      url: withToken(proxy.url(repository.name)),
      environment: programs.environment,
    });
    const controller = new AbortController();
    const polling = source.poll(controller.signal).catch((error: unknown) => error);
    while (proxy.requests.length < 4) await sleep(20);
    controller.abort(new Error('enough'));
    expect(await polling).to.have.property('message', 'enough');
    const [group] = (await programs.log()).map(Number);
    expect(group).to.be.a('number');
    while (isRunning(group!)) await sleep(20);
  });

  it('is started anew when it died while files are read', async () => {
    await programs.write('git', 'test "$2" = cat-file && echo $$ >> "$log"; exec "$real" "$@"');
    const repository = await world.repository({ 'a.yaml': '1' });
    const source = await sources.open({
      url: withToken(repository.url),
      environment: programs.environment,
    });
    const snapshot = await pollOnce(source);
    const [reader] = (await programs.log()).map(Number);
    process.kill(reader!, 'SIGKILL');
    while (isRunning(reader!)) await sleep(20);
    // Whether this read or the next finds a new git depends on when the end of the old one is noticed.
    await snapshot.read('a.yaml').catch(() => undefined);
    expect(await textOf(await pollOnce(source), 'a.yaml')).to.equal('1');
    expect((await programs.log()).length).to.be.above(1);
  });
});

/** Whether any process of a group is there; a group is named after the process that began it. */
function isRunning(pid: number): boolean {
  for (const target of [pid, -pid]) {
    try {
      process.kill(target, 0);
      return true;
    } catch {
      // This one is gone.
    }
  }
  return false;
}
