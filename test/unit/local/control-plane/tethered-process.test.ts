import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { spawnTethered } from '../../../../src/local/control-plane/tethered-process.ts';

const module = new URL('../../../../src/local/control-plane/tethered-process.ts', import.meta.url).href;

describe('spawnTethered', () => {
  let dir: string;
  let logPath: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-tether-'));
    logPath = join(dir, 'log');
  });
  afterEach(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  const shell = (script: string) => ({ path: '/bin/sh', args: ['-c', script] });

  it('gives the program its arguments as they are, and logs what it says', async () => {
    const command = { path: '/usr/bin/env', args: ['printf', '%s|', 'a b', '$HOME', "it's"] };
    const child = await spawnTethered(command, { cwd: dir, logPath });
    expect(await child.exited).to.deep.equal({ code: 0, signal: null });
    expect(await readFile(logPath, 'utf8')).to.equal("a b|$HOME|it's|");
    expect(child.isRunning()).to.equal(false);
  });

  it('has the pid of the program itself, so that a signal reaches it', async () => {
    const child = await spawnTethered(shell('echo $$; exec sleep 600'), { cwd: dir, logPath });
    while ((await readFile(logPath, 'utf8')) === '') await sleep(10);
    expect((await readFile(logPath, 'utf8')).trim()).to.equal(String(child.pid));
    child.send('SIGTERM');
    expect(await child.exited).to.deep.equal({ code: null, signal: 'SIGTERM' });
  });

  it('tells a program that does not exist by its exit status', async () => {
    const child = await spawnTethered({ path: join(dir, 'nothing'), args: [] }, { cwd: dir, logPath });
    expect((await child.exited).code).to.equal(127);
  });

  it('fails where the working directory does not exist', async () => {
    const started = spawnTethered(shell('true'), { cwd: join(dir, 'nowhere'), logPath });
    expect(await started.catch((error: unknown) => error)).to.have.property('code', 'DependencyFailed');
  });

  it('ends the program when its parent is killed', async () => {
    const script = `
      const { spawnTethered } = await import(${JSON.stringify(module)});
      // Deaf to everything but SIGKILL, as a program that hangs would be.
      const command = { path: '/bin/sh', args: ['-c', "trap '' TERM HUP INT; while :; do sleep 1; done"] };
      const child = await spawnTethered(command, { cwd: ${JSON.stringify(dir)}, logPath: ${JSON.stringify(logPath)} });
      console.log(child.pid);
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const pid = Number(line);
    expect(isAlive(pid)).to.equal(true);
    parent.kill('SIGKILL');
    for (let tries = 0; isAlive(pid) && tries < 200; tries += 1) await sleep(25);
    expect(isAlive(pid)).to.equal(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
