import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WholeReading } from '../harness/read-whole.ts';
import { type GitWorld, startGitWorld, type TestRepository } from '../harness/git.ts';
import { programsIn } from '../harness/programs.ts';

const mebibyte = 1024 * 1024;
const largeMb = 200;

/** Nothing that is packed or unpacked here is worth compressing. */
const uncompressed = { 'core.compression': '0', 'core.bigFileThreshold': '1m' };

describe('a file of 200 MB at the tip', () => {
  let world: GitWorld;
  let repository: TestRepository;

  before(async function () {
    this.timeout(180_000);
    world = await startGitWorld();
    repository = await world.repository({ 'clusters/east/web.yaml': 'kind: ConfigMap\n' });
    for (const [key, value] of Object.entries(uncompressed)) {
      await repository.git('config', key, value);
      await repository.git('--git-dir', repository.bareDir, 'config', key, value);
    }
    const file = await open(join(repository.dir, 'video.bin'), 'w');
    for (let written = 0; written < largeMb; written++) await file.write(Buffer.alloc(mebibyte, written));
    await file.close();
    await repository.git('add', '--all');
    await repository.git('commit', '--quiet', '-m', 'a large file');
    // From disk to disk: a push over HTTP would cost more than the test.
    await repository.git('push', '--quiet', repository.bareDir, 'HEAD');
  });
  after(() => world.close());

  async function readWith(
    backend: string,
    environment: NodeJS.ProcessEnv = process.env,
  ): Promise<WholeReading> {
    const script = new URL('../harness/read-whole.ts', import.meta.url).pathname;
    const paths = ['clusters/east/web.yaml', 'video.bin'];
    const args = [script, backend, repository.url, await world.tempDir('state'), ...paths];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment });
    // The script is ours and prints just this.
    return JSON.parse(stdout) as WholeReading;
  }

  it('is refused by the embedded Git before it takes much memory', async () => {
    const { poll, peakMb } = await readWith('embedded');
    expect(poll)
      .to.include('GitUnavailable')
      .and.include('more than 128 MiB')
      .and.include('keep large files out');
    expect(peakMb).to.be.below(450);
  }).timeout(120_000);

  it('keeps nothing but itself from being read with the native Git, in little memory', async () => {
    const programs = programsIn(await world.tempDir('programs'));
    // Less address space than the file has bytes, for each process of git.
    await programs.write('git', `ulimit -v ${190 * 1024}; exec "$real" "$@"`);
    const { poll, files, peakMb } = await readWith('native', programs.environment);
    expect(poll).to.equal(await repository.git('rev-parse', 'HEAD'));
    expect(files).to.deep.equal({
      'clusters/east/web.yaml': '16',
      'video.bin': `ManifestInvalid: the file has ${largeMb * mebibyte} bytes, more than the 8388608 that are read`,
    });
    expect(peakMb).to.be.below(250);
  }).timeout(120_000);
});
