import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { controlPlaneBinaries } from '../../harness/control-plane.ts';

/** Starts a control plane in `dir`, prints the pids of its components, and stays. */
const parent = new URL('../../harness/control-plane-parent.ts', import.meta.url);

describe('a control plane whose parent ends', () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-orphan-'));
  });
  afterEach(async () => {
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  });

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`leaves no process after a ${signal} of its parent`, async () => {
      const binaries = JSON.stringify(await controlPlaneBinaries());
      const child = spawn(process.execPath, [parent.pathname, dir, binaries], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      const pids = JSON.parse(line) as number[];
      expect(pids).to.have.length(3);
      expect(pids.every(isAlive)).to.equal(true);

      child.kill(signal);
      await once(child, 'exit');
      for (let tries = 0; pids.some(isAlive) && tries < 100; tries += 1) await sleep(50);
      expect(pids.filter(isAlive)).to.deep.equal([]);
    });
  }
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
