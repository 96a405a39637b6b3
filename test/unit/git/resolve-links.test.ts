import { expect } from 'chai';
import { resolveLinks, type ResolvedTree } from '../../../src/git/tree/resolve-links.ts';
import { type DirectoryNode, nodeAt, type TreeNode } from '../../../src/model/snapshot.ts';

/** A tree as people write it: a string is a file's content, '-> x' a link to x. */
interface Sketch {
  readonly [name: string]: string | Sketch;
}

function toTree(sketch: Sketch): DirectoryNode {
  const children = Object.entries(sketch).map(([name, value]): [string, TreeNode] => {
    if (typeof value !== 'string') return [name, toTree(value)];
    return [name, { kind: value.startsWith('-> ') ? 'symlink' : 'file', oid: value }];
  });
  return { kind: 'directory', oid: JSON.stringify(sketch), children: new Map(children) };
}

function resolve(sketch: Sketch, path = ''): Promise<ResolvedTree> {
  const root = toTree(sketch);
  const start = nodeAt(root, path);
  if (start?.kind !== 'directory') throw new Error(`no folder ${path}`);
  return resolveLinks(start, path, {
    find: (wanted) => Promise.resolve(nodeAt(root, wanted)),
    readLink: ({ oid }) => Promise.resolve(oid.slice(3)),
  });
}

function outline(node: TreeNode): unknown {
  if (node.kind !== 'directory') return node.kind === 'file' ? node.oid : node.kind;
  return Object.fromEntries([...node.children].map(([name, child]) => [name, outline(child)]));
}

describe('resolveLinks', () => {
  it('leaves a tree without links as it is', async () => {
    const { tree, reasons } = await resolve({ a: { b: 'x' } });
    expect(tree.oid).to.equal(JSON.stringify({ a: { b: 'x' } }));
    expect(reasons.size).to.equal(0);
  });

  it('puts the target in the place of each link', async () => {
    const { tree } = await resolve({
      a: { dir: '-> ../b', file: '-> ../b/f' },
      b: { f: 'x', again: '-> f' },
    });
    expect(outline(tree)).to.deep.equal({
      a: { dir: { f: 'x', again: 'x' }, file: 'x' },
      b: { f: 'x', again: 'x' },
    });
  });

  it('follows links on the way to a target and links to links', async () => {
    const { tree } = await resolve({ one: '-> two', two: '-> real', real: { f: 'x' }, through: '-> one/f' });
    expect(outline(tree)).to.deep.include({ through: 'x', one: { f: 'x' } });
  });

  it('ends where two directories link to each other', async () => {
    const { tree, reasons } = await resolve({ a: { b: '-> ../b' }, b: { a: '-> ../a' } });
    expect(outline(tree)).to.deep.equal({ a: { b: { a: 'symlink' } }, b: { a: { b: 'symlink' } } });
    expect([...reasons.values()]).to.deep.equal(Array(2).fill('it points to a directory that it lies in'));
  });

  it('does not follow a link to a folder above its root when it lies in it', async () => {
    const { tree } = await resolve({ fleet: { up: '-> ..', side: '-> ../side' }, side: { f: 'x' } }, 'fleet');
    expect(outline(tree)).to.deep.equal({
      up: { fleet: { up: 'symlink', side: { f: 'x' } }, side: { f: 'x' } },
      side: { f: 'x' },
    });
  });

  it('bounds what links can multiply', async () => {
    const wide = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`l${index}`, '-> ../next']));
    const levels: Record<string, Sketch> = {};
    for (let level = 0; level < 8; level++) {
      levels[`d${level}`] = Object.fromEntries(
        Object.keys(wide).map((name) => [name, `-> ../d${level + 1}`]),
      );
    }
    const { tree, reasons } = await resolve({ ...levels, d8: { f: 'x' } });
    expect(tree.children.size).to.equal(9);
    expect([...new Set(reasons.values())]).to.deep.equal(['links would add more than 50000 files']);
  });

  it('gives directories with the same content the same id, and others another', async () => {
    const one = await resolve({ a: { l: '-> ../b' }, b: { f: 'x' } });
    const same = await resolve({ a: { l: '-> ../b' }, b: { f: 'x' } });
    const other = await resolve({ a: { l: '-> ../b' }, b: { f: 'y' } });
    expect(nodeAt(one.tree, 'a')?.oid).to.equal(nodeAt(same.tree, 'a')?.oid);
    expect(nodeAt(one.tree, 'a')?.oid).to.not.equal(nodeAt(other.tree, 'a')?.oid);
  });
});
