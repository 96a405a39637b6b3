import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { UsageError } from '../../../src/cli/usage-error.ts';
import { writeManifests, type WriteOptions } from '../../../src/cli/write-manifests.ts';
import { rejectionOf } from './rejection-of.ts';
import { useFolder } from './settings-folder.ts';

const signal = new AbortController().signal;
const all: WriteOptions = { isStale: () => true, signal };

describe('writeManifests', () => {
  const folder = useFolder({});
  const read = (path: string) => readFileSync(join(folder.path, path), 'utf8');
  const write = (files: Record<string, string>, options = all) =>
    writeManifests(folder.path, new Map(Object.entries(files)), options);

  it('writes files, and nothing the second time', async () => {
    const files = { 'a/shop/configmap.yaml': 'one\n', 'a/namespace.yaml': 'two\n' };
    expect(await write(files)).to.deep.equal({ written: 2, unchanged: 0, removed: 0 });
    const before = statSync(join(folder.path, 'a/namespace.yaml')).mtimeMs;
    expect(await write(files)).to.deep.equal({ written: 0, unchanged: 2, removed: 0 });
    expect(statSync(join(folder.path, 'a/namespace.yaml')).mtimeMs).to.equal(before);
    expect(read('a/shop/configmap.yaml')).to.equal('one\n');
    expect(readdirSync(join(folder.path, 'a')).sort()).to.deep.equal(['namespace.yaml', 'shop']);
  });

  it('removes what it wrote before, with folders left empty, and nothing of others', async () => {
    await write({ 'a/shop/configmap.yaml': 'one\n', 'b/c.yaml': 'two\n' });
    writeFileSync(join(folder.path, 'b/README.md'), 'mine');
    expect(await write({ 'd.yaml': 'three\n' })).to.deep.equal({ written: 1, unchanged: 0, removed: 2 });
    expect(existsSync(join(folder.path, 'a'))).to.equal(false);
    expect(readdirSync(join(folder.path, 'b'))).to.deep.equal(['README.md']);
  });

  it('keeps what is not known to be stale, and remembers that it is its own', async () => {
    await write({ 'a/x.yaml': '1', 'b/x.yaml': '1' });
    await write({ 'a/y.yaml': '1' }, { ...all, isStale: (path) => path.startsWith('a/') });
    expect([
      existsSync(join(folder.path, 'a/x.yaml')),
      existsSync(join(folder.path, 'b/x.yaml')),
    ]).to.deep.equal([false, true]);
    expect(await write({ 'b/x.yaml': '2' })).to.deep.include({ written: 1, removed: 1 });
  });

  it('overwrites no file of others, and then writes nothing at all', async () => {
    mkdirSync(join(folder.path, 'a'));
    writeFileSync(join(folder.path, 'a/x.yaml'), 'mine');
    const error = await rejectionOf(write({ 'a/x.yaml': 'theirs', 'a/y.yaml': 'new' }));
    expect(error).to.be.instanceOf(UsageError);
    expect(error.message).to.contain('a/x.yaml').and.not.to.contain('y.yaml');
    expect(read('a/x.yaml')).to.equal('mine');
    expect(existsSync(join(folder.path, 'a/y.yaml'))).to.equal(false);
  });

  it('removes nothing outside of the folder, whatever its list says', async () => {
    const inner = join(folder.path, 'out');
    mkdirSync(inner);
    writeFileSync(join(folder.path, 'precious'), 'x');
    const files = ['../precious', join(folder.path, 'precious'), 'a/../../precious', 7];
    writeFileSync(join(inner, '.fleetwright-render.json'), JSON.stringify({ files }));
    expect(await writeManifests(inner, new Map(), all)).to.deep.equal({
      written: 0,
      unchanged: 0,
      removed: 0,
    });
    expect(read('precious')).to.equal('x');
  });

  it('leaves whole files when it is interrupted, and the next run ends what it began', async () => {
    const files = { 'a.yaml': 'one\n', 'b.yaml': 'two\n', 'c.yaml': 'three\n' };
    await write({ 'a.yaml': 'old\n', 'b.yaml': 'old\n', 'gone.yaml': 'old\n' });
    const { signal: cutting } = new AbortController();
    let asked = 0;
    // Asked before each file: it is cut short after the first.
    cutting.throwIfAborted = () => {
      if (++asked > 1) throw new Error('interrupted');
    };
    const error = await rejectionOf(write(files, { ...all, signal: cutting }));
    expect(error.message).to.equal('interrupted');
    expect([read('a.yaml'), read('b.yaml'), existsSync(join(folder.path, 'c.yaml'))]).to.deep.equal([
      'one\n',
      'old\n',
      false,
    ]);
    expect(readdirSync(folder.path).sort()).to.deep.equal([
      '.fleetwright-render.json',
      'a.yaml',
      'b.yaml',
      'gone.yaml',
    ]);
    expect(await write(files)).to.deep.equal({ written: 2, unchanged: 1, removed: 1 });
  });

  it('removes what a killed run left behind', async () => {
    mkdirSync(join(folder.path, '.fleetwright-render.tmp'));
    writeFileSync(join(folder.path, '.fleetwright-render.tmp/file'), 'ha');
    await write({ 'a.yaml': 'one\n' });
    expect(readdirSync(folder.path).sort()).to.deep.equal(['.fleetwright-render.json', 'a.yaml']);
  });

  it('does not guess what a damaged list held', async () => {
    writeFileSync(join(folder.path, '.fleetwright-render.json'), '{"files":');
    expect(await rejectionOf(write({ 'a.yaml': '' }))).to.be.instanceOf(UsageError);
  });
});
