import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Component, createComponent } from '../../../../src/local/control-plane/component.ts';

describe('a component', () => {
  let dir: string;

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-component-'));
  });
  after(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  const component = (script: string, isReady: () => Promise<boolean>): Component =>
    createComponent({
      name: 'etcd',
      command: { path: '/bin/sh', args: ['-c', script] },
      cwd: dir,
      logPath: join(dir, 'etcd.log'),
      isReady,
    });
  const ready = (): Promise<boolean> => Promise.resolve(true);
  const never = (): Promise<boolean> => Promise.resolve(false);

  it('fails with the end of its log when it ends at its start', async () => {
    const broken = component('echo unknown flag: --nonsense >&2; exit 3', never);
    const error: unknown = await broken.start().catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'DependencyFailed');
    expect(error).to.have.property('message', 'etcd ended at its start (exit status 3):\nunknown flag: --nonsense');
    expect(broken.running).to.equal(false);
  });

  it('leaves nothing running when its start is called off', async () => {
    const slow = component('exec sleep 600', never);
    const start = slow.start(AbortSignal.timeout(100)).catch((thrown: unknown) => thrown);
    expect(await start).to.have.property('name', 'TimeoutError');
    expect(slow.running).to.equal(false);
  });

  it('starts once, however often it is asked', async () => {
    const sleeper = component('exec sleep 600', ready);
    await sleeper.start();
    const { pid } = sleeper;
    await sleeper.start();
    expect(sleeper.pid).to.equal(pid);
    await sleeper.kill();
  });

  it('is killed when it does not heed the request to stop', async () => {
    const deaf = component("trap '' TERM; while :; do sleep 0.05; done", ready);
    await deaf.start();
    await deaf.stop(50);
    expect(deaf.running).to.equal(false);
  });

  it('may be stopped and killed when it does not run', async () => {
    const idle = component('exec sleep 600', ready);
    await idle.stop();
    await idle.kill();
    expect(idle.running).to.equal(false);
  });
});
