import { execFile, spawn } from 'node:child_process';
import { mkdirSync, copyFileSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { useFolder } from './settings-folder.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const script = join(root, 'bin/fleetwright');
const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

describe('bin/fleetwright', () => {
  const folder = useFolder({});
  // Without Node on the PATH: only the pinned one may be used.
  const env = { PATH: '/usr/bin:/bin' };

  it('runs from any folder', async () => {
    const { stdout, stderr } = await execute(script, ['--version'], { cwd: folder.path, env });
    expect([stdout, stderr]).to.deep.equal([`${version}\n`, '']);
  });

  it('runs through links, also relative ones', async () => {
    symlinkSync(script, join(folder.path, 'first'));
    mkdirSync(join(folder.path, 'deep er'));
    symlinkSync('../first', join(folder.path, 'deep er/second'));
    const { stdout } = await execute(join(folder.path, 'deep er/second'), ['--version'], { cwd: '/', env });
    expect(stdout).to.equal(`${version}\n`);
  });

  it('says what to do when nothing is installed', async () => {
    mkdirSync(join(folder.path, 'bin'));
    copyFileSync(script, join(folder.path, 'bin/fleetwright'));
    const failure = await execute(join(folder.path, 'bin/fleetwright'), [], { env }).then(
      () => undefined,
      (error: unknown) => error as { code: number; stderr: string },
    );
    expect(failure?.code).to.equal(3);
    expect(failure?.stderr).to.contain('npm ci');
  });

  it('gives the exit status, with the message on stderr', async () => {
    const failure = await execute(script, ['plna'], { env }).then(
      () => undefined,
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );
    expect(failure).to.include({
      code: 3,
      stdout: '',
      stderr: "error: unknown command 'plna'\n(Did you mean plan?)\n",
    });
  });

  it('is quiet when its reader goes away', async () => {
    const child = spawn(script, ['--help'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect([status, stderr]).to.deep.equal([0, '']);
  });
});
