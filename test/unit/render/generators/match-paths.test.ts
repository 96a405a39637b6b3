import { expect } from 'chai';

import { compileGlob, faultOfGlob, faultOfPathGlob } from '../../../../src/config/generator/glob.ts';
import { matchDirectories, matchFiles } from '../../../../src/render/generators/match-paths.ts';
import { memorySnapshot } from '../memory-snapshot.ts';

const { tree } = memorySnapshot({
  'tenants/blue/config.yaml': '',
  'tenants/blue/deep/config.yaml': '',
  'tenants/green/config.json': '',
  'tenants/_base/config.yaml': '',
  'tenants/.hidden/config.yaml': '',
  'tenants/README.md': '',
  'tenants/link': { kind: 'symlink' },
  'tenants/module': { kind: 'submodule' },
  'odd/a(b)+c!/x.yaml': '',
  'odd/[x]/x.yaml': '',
  'top.yaml': '',
});

const paths = (found: { readonly matches: readonly { readonly path: string }[] }): string[] =>
  found.matches.map(({ path }) => path);

describe('globs of paths', () => {
  const directories: readonly (readonly [
    string | readonly string[],
    readonly string[],
    readonly string[],
  ])[] = [
    ['tenants/*', [], ['tenants/_base', 'tenants/blue', 'tenants/green']],
    ['tenants/*', ['tenants/_*'], ['tenants/blue', 'tenants/green']],
    ['tenants/**', ['tenants/_*'], ['tenants/blue', 'tenants/blue/deep', 'tenants/green']],
    ['tenants/**', ['tenants/blue'], ['tenants/_base', 'tenants/green']],
    ['tenants/{blue,green}', [], ['tenants/blue', 'tenants/green']],
    ['tenants/[!b]*', [], ['tenants/_base', 'tenants/green']],
    ['tenants/[^b]*', [], ['tenants/_base', 'tenants/green']],
    ['tenants/gree?', [], ['tenants/green']],
    ['tenants/.hidden', [], ['tenants/.hidden']],
    ['*/blue', [], ['tenants/blue']],
    ['**', ['odd'], ['tenants', 'tenants/_base', 'tenants/blue', 'tenants/blue/deep', 'tenants/green']],
    ['**/deep', [], ['tenants/blue/deep']],
    ['tenants/**/deep/**', [], []],
    ['tenants/**/blue', [], ['tenants/blue']],
    ['odd/a(b)+c!', [], ['odd/a(b)+c!']],
    [['tenants/green', 'tenants/*e*'], [], ['tenants/_base', 'tenants/blue', 'tenants/green']],
    ['tenants/link', [], []],
    ['tenants/m*', [], []],
    ['nowhere/*', [], []],
  ];
  for (const [path, exclude, expected] of directories) {
    it(`${String(path)} without ${exclude.join() || 'any'} is ${expected.join(', ') || 'no folder'}`, () => {
      const include = typeof path === 'string' ? [path] : path;
      expect(paths(matchDirectories(tree, { include, exclude }))).to.deep.equal(expected);
    });
  }

  const files: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    [
      'tenants/*/config.{yaml,json}',
      ['tenants/_*'],
      ['tenants/blue/config.yaml', 'tenants/green/config.json'],
    ],
    [
      '**/config.yaml',
      [],
      ['tenants/_base/config.yaml', 'tenants/blue/config.yaml', 'tenants/blue/deep/config.yaml'],
    ],
    ['*.yaml', [], ['top.yaml']],
    ['top.yaml', [], ['top.yaml']],
    ['tenants/*', [], ['tenants/README.md']],
  ];
  for (const [path, exclude, expected] of files) {
    it(`${path} without ${exclude.join() || 'any'} is ${expected.join(', ')}`, () => {
      expect(paths(matchFiles(tree, { include: [path], exclude }))).to.deep.equal(expected);
    });
  }

  it('tell which of them match nothing', () => {
    expect(
      matchDirectories(tree, { include: ['tenants/*', 'nowhere/*', 'top.yaml'], exclude: [] }).idle,
    ).to.deep.equal(['nowhere/*', 'top.yaml']);
  });

  const refused: readonly (readonly [string, string])[] = [
    ['/a', 'must be relative to the fleet’s root'],
    ['a/../b', 'must not have "." or ".." in it'],
    ['a//b', 'must not have an empty name in it'],
    ['a/', 'must not have an empty name in it'],
    ['', 'must not be empty'],
    ['a*b*c*d*', 'must have at most 3 stars in one name'],
    ['{a/b,c}', 'has a brace without its other one in the same name'],
    ['{a,b', 'has a brace without its other one in the same name'],
    ['{1..3}', 'must not have a range in braces; name each alternative'],
    ['x'.repeat(257), 'must be no longer than 256 characters'],
    [`{${'a,'.repeat(70)}b}`, 'must have at most 64 alternatives'],
  ];
  for (const [glob, message] of refused) {
    it(`refuse ${glob.slice(0, 20)}`, () => {
      expect(faultOfPathGlob(glob)).to.equal(message);
    });
  }

  it('take little time for any path', () => {
    const matches = compileGlob('**/*a*a*a/**/*a*a*a/**/b', { dot: false });
    expect(matches(Array.from({ length: 500 }, () => 'a'.repeat(50)).join('/'))).to.equal(false);
    expect(matches(`${Array.from({ length: 500 }, () => 'aaa').join('/')}/b`)).to.equal(true);
  });

  it('take names of any kind', () => {
    expect(faultOfGlob('system:controller:*')).to.equal(undefined);
  });
});
