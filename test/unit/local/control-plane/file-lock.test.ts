import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { withFileLock } from '../../../../src/local/control-plane/binaries/file-lock.ts';

const module = new URL('../../../../src/local/control-plane/binaries/file-lock.ts', import.meta.url).href;

describe('withFileLock', () => {
  let path: string;
  const { signal } = new AbortController();

  beforeEach(async () => {
    path = join(await mkdtemp(join(tmpdir(), 'fleetwright-lock-')), 'lock');
  });
  afterEach(async () => {
    await rm(join(path, '..'), { recursive: true, force: true });
  });

  it('lets one at a time in, and tells the other that it waits', async () => {
    const steps: string[] = [];
    const entered = Promise.withResolvers<undefined>();
    const opened = Promise.withResolvers<undefined>();
    const first = withFileLock(path, { signal }, async () => {
      steps.push('first in');
      entered.resolve(undefined);
      await opened.promise;
      steps.push('first out');
    });
    await entered.promise;
    const onWait = (): void => {
      steps.push('second waits');
      opened.resolve(undefined);
    };
    const second = withFileLock(path, { signal, onWait }, () => Promise.resolve(steps.push('second in')));
    await Promise.all([first, second]);
    expect(steps).to.deep.equal(['first in', 'second waits', 'first out', 'second in']);
  });

  it('is free again after its holder failed', async () => {
    const failed = withFileLock(path, { signal }, () => Promise.reject(new Error('no')));
    expect(await failed.catch((error: unknown) => error)).to.be.an('error');
    expect(await withFileLock(path, { signal }, () => Promise.resolve('in'))).to.equal('in');
  });

  it('is free again after its holder was killed', async () => {
    const script = `
      const { withFileLock } = await import(${JSON.stringify(module)});
      setInterval(() => undefined, 60_000);
      const { signal } = new AbortController();
      await withFileLock(${JSON.stringify(path)}, { signal }, () => {
        console.log('in');
        return new Promise(() => undefined);
      });
    `;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface(holder.stdout), 'line');
    let waited = false;
    const onWait = (): void => {
      waited = true;
      holder.kill('SIGKILL');
    };
    expect(await withFileLock(path, { signal, onWait }, () => Promise.resolve('in'))).to.equal('in');
    expect(waited).to.equal(true);
  });

  it('stops waiting when it is called off', async () => {
    const opened = Promise.withResolvers<undefined>();
    const entered = Promise.withResolvers<undefined>();
    const holder = withFileLock(path, { signal }, () => {
      entered.resolve(undefined);
      return opened.promise;
    });
    await entered.promise;
    const called = new AbortController();
    const onWait = (): void => {
      called.abort();
    };
    const waiting = withFileLock(path, { signal: called.signal, onWait }, () => Promise.resolve('in'));
    expect(await waiting.catch((error: unknown) => error)).to.have.property('name', 'AbortError');
    opened.resolve(undefined);
    await holder;
  });
});
