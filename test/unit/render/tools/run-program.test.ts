import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';

import { type ProgramRun, runProgram } from '../../../../src/render/tools/run-program.ts';

describe('runProgram', () => {
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-run-'));
  });
  after(() => rm(dir, { recursive: true, force: true }));

  const sh = (script: string, options: Partial<ProgramRun> = {}) =>
    runProgram({
      command: ['/bin/sh', '-c', script],
      cwd: dir,
      env: { PATH: '/usr/bin:/bin' },
      deadlineMs: 60_000,
      maxOutputBytes: 1_000_000,
      signal: new AbortController().signal,
      ...options,
    });

  /** The pid that a script wrote, once it is there. */
  const pidIn = async (name: string): Promise<number> => {
    for (;;) {
      const text = await readFile(join(dir, name), 'utf8').catch(() => '');
      if (text.endsWith('\n')) return Number(text);
      await sleep(10);
    }
  };

  /** Whether a process ends within a while. One that waits for its parent to take notice has ended. */
  const hasEnded = async (pid: number): Promise<boolean> => {
    for (let round = 0; round < 500; round++) {
      const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
      if (state === '' || state.startsWith('Z')) return true;
      await sleep(10);
    }
    return false;
  };

  it('gives what a program prints, and its complaints apart', async () => {
    const result = await sh('echo out; echo err >&2');
    expect(result.kind).to.equal('done');
    if (result.kind !== 'done') return;
    expect(new TextDecoder().decode(result.stdout)).to.equal('out\n');
    expect(result.stderr).to.equal('err\n');
  });

  it('tells how a program failed', async () => {
    expect(await sh('echo no >&2; exit 3')).to.deep.equal({ kind: 'failed', status: 3, stderr: 'no\n' });
    expect(await sh('kill -TERM $$')).to.deep.equal({ kind: 'failed', status: 'SIGTERM', stderr: '' });
  });

  it('hands on nothing of our own environment and no input', async () => {
    process.env['FLEETWRIGHT_TEST_SECRET'] = 'visible';
    const result = await sh('env; cat', { env: { PATH: '/usr/bin:/bin', ONLY: 'this' } });
    delete process.env['FLEETWRIGHT_TEST_SECRET'];
    const text = result.kind === 'done' ? new TextDecoder().decode(result.stdout) : '';
    expect(text).to.include('ONLY=this').and.not.include('FLEETWRIGHT_TEST_SECRET');
  });

  it('ends a program that takes too long, with all that it started', async () => {
    const result = await sh('sleep 600 & echo $! > late; wait', { deadlineMs: 500 });
    expect(result).to.deep.equal({ kind: 'late' });
    expect(await hasEnded(await pidIn('late'))).to.be.true;
  });

  it('ends a program when it is told to', async () => {
    const controller = new AbortController();
    const running = sh('sleep 600 & echo $! > told; wait', { signal: controller.signal });
    const pid = await pidIn('told');
    controller.abort(new Error('enough'));
    const error = await running.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.an('error').with.property('message', 'enough');
    expect(await hasEnded(pid)).to.be.true;
  });

  it('ends what a program leaves behind', async () => {
    const result = await sh('sleep 600 & echo $! > left');
    expect(result.kind).to.equal('done');
    expect(await hasEnded(await pidIn('left'))).to.be.true;
  });

  it('ends a program that prints too much', async () => {
    expect(await sh('while :; do echo 0123456789012345678901234567890123456789; done')).to.deep.equal({
      kind: 'tooMuch',
    });
  });

  it('keeps the start of endless complaints', async () => {
    const result = await sh('head -c 1000000 /dev/zero | tr "\\0" x >&2; exit 1');
    expect(result).to.have.property('stderr').with.lengthOf(65_536);
  });

  it('says that a program cannot be started', async () => {
    const result = await sh('', { command: [join(dir, 'nothing-there')] });
    expect(result).to.include({ kind: 'failed', status: 127 });
    expect(await sh('', { cwd: join(dir, 'no-folder') })).to.have.property('kind', 'notStarted');
  });
});
