import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkingCopy } from '../../../src/git/working-copy.ts';
import { runGit } from '../../../src/local/git-server-run.ts';
import { nodeAt } from '../../../src/model/snapshot.ts';
import { failure, listLeaves, pollOnce, textOf } from '../../harness/git-source.ts';
import { writeFiles } from '../../harness/git.ts';

describe('a working copy', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-copy-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('is read as it lies on disk, with the ids that Git would give its files', async () => {
    await writeFiles(dir, { 'clusters/a/x.yaml': 'x\n', '.git/config': 'no', 'empty.yaml': '' });
    const snapshot = await pollOnce(openWorkingCopy(dir));
    expect(snapshot.revision).to.equal('working-copy');
    expect(listLeaves(snapshot)).to.deep.equal(['clusters/a/x.yaml', 'empty.yaml']);
    expect(await textOf(snapshot, 'clusters/a/x.yaml')).to.equal('x\n');
    const oid = await runGit(['hash-object', join(dir, 'clusters/a/x.yaml')]);
    expect(nodeAt(snapshot.tree, 'clusters/a/x.yaml')?.oid).to.equal(oid);
  });

  it('holds what Git does not track and what .gitignore names', async () => {
    await writeFiles(dir, { '.gitignore': 'local/\n', 'local/a.yaml': 'x', 'committed.yaml': 'x' });
    await runGit(['init', '--quiet', dir]);
    await runGit(['-C', dir, 'add', '.gitignore', 'committed.yaml']);
    await writeFiles(dir, { 'untracked.yaml': 'x' });
    expect(listLeaves(await pollOnce(openWorkingCopy(dir)))).to.deep.equal([
      '.gitignore',
      'committed.yaml',
      'local/a.yaml',
      'untracked.yaml',
    ]);
  });

  it('gives the same snapshot until something changes', async () => {
    await writeFiles(dir, { 'a.yaml': '1', 'b/c.yaml': '2' });
    const source = openWorkingCopy(dir);
    const first = await pollOnce(source);
    expect(await pollOnce(source)).to.equal(first);
    await writeFiles(dir, { 'a.yaml': '3' });
    const second = await pollOnce(source);
    expect(second).to.not.equal(first);
    expect(nodeAt(second.tree, 'b')?.oid).to.equal(nodeAt(first.tree, 'b')?.oid);
  });

  it('does not mix a file that changed since with the rest', async () => {
    await writeFiles(dir, { 'a.yaml': '1' });
    const snapshot = await pollOnce(openWorkingCopy(dir));
    await writeFiles(dir, { 'a.yaml': '2' });
    await failure(snapshot.read('a.yaml'), 'GitUnavailable');
    await writeFiles(dir, { 'a.yaml': null });
    await failure(snapshot.read('a.yaml'), 'GitUnavailable');
  });

  it('follows links within it and no others', async () => {
    await writeFiles(dir, {
      'common/base.yaml': 'base',
      'a/common': { linkTo: '../common' },
      'a/up': { linkTo: '../..' },
      'a/loop': { linkTo: '.' },
    });
    const snapshot = await pollOnce(openWorkingCopy(dir));
    expect(listLeaves(snapshot)).to.deep.equal([
      'a/common/base.yaml',
      'a/loop (symlink)',
      'a/up (symlink)',
      'common/base.yaml',
    ]);
    expect(await textOf(snapshot, 'a/common/base.yaml')).to.equal('base');
  });

  it('is reported when it is not there', async () => {
    const source = openWorkingCopy(join(dir, 'absent'));
    expect((await failure(pollOnce(source), 'GitUnavailable')).message).to.include('absent');
  });
});
