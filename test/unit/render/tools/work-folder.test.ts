import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

import { openWorkFolder } from '../../../../src/render/tools/work-folder.ts';

const source = new URL('../../../../src/render/tools/work-folder.ts', import.meta.url).href;

describe('a work folder', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'fleetwright-work-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  it('gives each run a folder that is gone afterwards, however the run ends', async () => {
    const work = await openWorkFolder(parent);
    const dirs: string[] = [];
    const run = (fail: boolean): Promise<void> =>
      work.withFolder(async (dir) => {
        dirs.push(dir);
        await mkdir(join(dir, 'a'));
        await writeFile(join(dir, 'a', 'file'), 'x');
        if (fail) throw new Error('failed');
      });
    await Promise.all([run(false), run(false)]);
    expect(await run(true).catch((error: unknown) => String(error))).to.equal('Error: failed');
    expect(new Set(dirs)).to.have.property('size', 3);
    const left = await readdir(join(dirs[0]!, '..'));
    expect(left.filter((name) => !name.startsWith('lock'))).to.deep.equal([]);
    await work.close();
    expect(await readdir(parent)).to.deep.equal([]);
  });

  it('removes what a killed process left, and nothing of one that lives', async () => {
    const living = await openWorkFolder(parent);
    const script = `
      const { openWorkFolder } = await import(${JSON.stringify(source)});
      const work = await openWorkFolder(${JSON.stringify(parent)});
      await work.withFolder(async (dir) => { console.log(dir); await new Promise((r) => setTimeout(r, 600_000)); });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(await readdir(parent)).to.have.lengthOf(2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const next = await openWorkFolder(parent);
    const names = await readdir(parent);
    expect(names).to.have.lengthOf(2);
    await next.close();
    await living.close();
    expect(await readdir(parent)).to.deep.equal([]);
  });

  it('leaves alone what it did not make, and a folder whose owner has just made it', async () => {
    await mkdir(join(parent, 'fleetwright-render-new'));
    await mkdir(join(parent, 'fleetwright-render-old'));
    await mkdir(join(parent, 'something-else'));
    const longAgo = new Date('2020-01-01');
    await utimes(join(parent, 'fleetwright-render-old'), longAgo, longAgo);
    const work = await openWorkFolder(parent);
    expect(await readdir(parent)).to.include.members(['fleetwright-render-new', 'something-else']);
    expect(await readdir(parent)).to.not.include('fleetwright-render-old');
    await work.close();
  });
});
