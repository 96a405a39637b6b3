import { expect } from 'chai';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openObjectDatabase } from '../../../src/git/objects/object-database.ts';
import { ObjectTooLarge } from '../../../src/git/objects/pack-file.ts';
import { parseCommit, parseTagTarget, parseTree } from '../../../src/git/objects/parse-objects.ts';
import { runGit } from '../../../src/local/git-server-run.ts';

const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b',
};

describe('the objects of a repository', () => {
  let dir: string;
  const git = (...args: readonly string[]): Promise<string> => runGit(['-C', dir, ...args], {}, identity);
  const objectsDir = (): string => join(dir, '.git', 'objects');

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-objects-'));
    await git('init', '--quiet');
    // Versions of one long file, so that packing makes deltas of deltas.
    for (let version = 0; version < 12; version++) {
      const lines = Array.from(
        { length: 400 },
        (_, line) => `line ${line} ${line % 30 === 0 && line <= version * 30 ? line * 7 : ''}`,
      );
      await writeFile(join(dir, 'long.yaml'), lines.join('\n'));
      await writeFile(join(dir, `${version}.yaml`), `version: ${version}\n`);
      await git('add', '--all');
      await git('commit', '--quiet', '-m', `version ${version}`);
    }
    await git('tag', '-a', 'v1', '-m', 'first');
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function expectAllReadable(): Promise<void> {
    const database = openObjectDatabase(objectsDir());
    const listed = await git('cat-file', '--batch-all-objects', '--batch-check');
    for (const line of listed.split('\n')) {
      const [oid = '', type = '', size = ''] = line.split(' ');
      const found = database.read(oid);
      expect(found?.type, oid).to.equal(type);
      expect(found?.bytes.length, oid).to.equal(Number(size));
    }
    expect(listed.split('\n').length).to.be.above(30);
    database.close();
  }

  it('are read loose', () => expectAllReadable());

  for (const option of ['true', 'false']) {
    it(`are read packed, with repack.useDeltaBaseOffset ${option}`, async () => {
      await git(
        '-c',
        `repack.useDeltaBaseOffset=${option}`,
        '-c',
        'pack.threads=1',
        'repack',
        '-q',
        '-a',
        '-d',
        '-f',
        '--depth=20',
        '--window=2',
      );
      await git('prune-packed');
      expect(await git('verify-pack', '-v', ...(await packs('.idx')))).to.match(/chain length = [2-9]/);
      await expectAllReadable();
    });
  }

  it('that are absent are undefined, and appear once they are packed', async () => {
    const database = openObjectDatabase(objectsDir());
    expect(database.read('f'.repeat(40))).to.equal(undefined);
    await git('gc', '--quiet');
    const head = await git('rev-parse', 'HEAD');
    expect(database.read(head)?.type).to.equal('commit');
    database.close();
  });

  it('that are larger than allowed are not unpacked', async () => {
    const oid = await git('rev-parse', 'HEAD:long.yaml');
    const database = openObjectDatabase(objectsDir());
    expect(() => database.read(oid, 100)).to.throw(ObjectTooLarge);
    await git('repack', '-q', '-a', '-d');
    const packed = openObjectDatabase(objectsDir());
    expect(() => packed.read(oid, 100)).to.throw(ObjectTooLarge);
    expect(packed.read(oid, 100_000)?.type).to.equal('blob');
    database.close();
    packed.close();
  });

  it('that were cut off are errors, not absences', async () => {
    await git('repack', '-q', '-a', '-d');
    const oid = await git('rev-parse', 'HEAD:long.yaml');
    for (const pack of await packs('.pack')) await truncate(pack, 500);
    const database = openObjectDatabase(objectsDir());
    expect(() => database.read(oid)).to.throw(Error);
    database.close();
  });

  it('name what they point to', async () => {
    const database = openObjectDatabase(objectsDir());
    const head = await git('rev-parse', 'HEAD');
    const commit = parseCommit(database.read(head)!.bytes);
    expect(commit).to.deep.equal({
      tree: await git('rev-parse', 'HEAD^{tree}'),
      parents: [await git('rev-parse', 'HEAD~1')],
    });
    expect(parseTagTarget(database.read(await git('rev-parse', 'v1'))!.bytes)).to.equal(head);
    const entries = parseTree(database.read(commit!.tree)!.bytes).map(
      ({ mode, oid, name }) => `${mode} blob ${oid}\t${name}`,
    );
    expect(entries.join('\n')).to.equal(await git('ls-tree', 'HEAD'));
    database.close();
  });

  async function packs(ending: string): Promise<string[]> {
    const pack = join(objectsDir(), 'pack');
    return (await readdir(pack)).filter((name) => name.endsWith(ending)).map((name) => join(pack, name));
  }
});

describe('parseTree', () => {
  const entry = (name: string): Buffer =>
    Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.alloc(20, 1)]);

  it('reads an empty tree', () => {
    expect(parseTree(Buffer.alloc(0))).to.deep.equal([]);
  });
  for (const name of ['..', '.', '', 'a/b']) {
    it(`refuses an entry named '${name}'`, () => {
      expect(() => parseTree(entry(name))).to.throw(Error);
    });
  }
  it('refuses bytes that end early', () => {
    expect(() => parseTree(entry('a').subarray(0, -1))).to.throw(Error);
  });
});
