import { expect } from 'chai';
import fc from 'fast-check';

import { joinPath, outermost } from '../../../../src/render/renderers/repository-path.ts';

describe('joinPath', () => {
  const cases: readonly (readonly [folder: string, path: string, joined: string | undefined])[] = [
    ['apps/web', '../base', 'apps/base'],
    ['apps/web', './/a/./b/', 'apps/web/a/b'],
    ['', 'a', 'a'],
    ['a', '..', ''],
    ['a', '../..', undefined],
    ['', '../a/..', undefined],
    ['a', '/etc/passwd', undefined],
  ];
  for (const [folder, path, joined] of cases) {
    it(`takes ${JSON.stringify(path)} from ${JSON.stringify(folder)} to ${JSON.stringify(joined)}`, () => {
      expect(joinPath(folder, path)).to.equal(joined);
    });
  }

  it('never leads out of the repository', () => {
    const part = fc.constantFrom('..', '.', '', 'a', 'b');
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (folder, path) => {
        const joined = joinPath(folder.filter((name) => /^[ab]$/.test(name)).join('/'), path.join('/'));
        expect(joined?.split('/') ?? []).to.not.include('..');
        expect(joined?.startsWith('/') ?? false).to.be.false;
      }),
    );
  });
});

describe('outermost', () => {
  it('leaves out what lies within another', () => {
    expect(outermost(['apps/web/base', 'apps/web', 'apps/webshop', 'b', 'apps/web'])).to.deep.equal([
      'apps/web',
      'apps/webshop',
      'b',
    ]);
    expect(outermost(['a', '', 'b'])).to.deep.equal(['']);
  });
});
