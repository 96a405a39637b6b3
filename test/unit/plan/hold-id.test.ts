import { expect } from 'chai';
import * as fc from 'fast-check';

import { holdId } from '../../../src/plan/hold-id.ts';

describe('the name of a hold', () => {
  it('is short enough to type, and the same each time', () => {
    expect(holdId(['berlin', 'emptied/web', 'ConfigMap/shop/a uid-1'])).to.match(/^[0-9a-f]{12}$/);
    expect(holdId(['berlin', 'a'])).to.equal(holdId(['berlin', 'a']));
  });

  it('is another for any other part', () => {
    const parts = fc.array(fc.stringMatching(/^[a-z/ .-]{1,8}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        expect(holdId(a) === holdId(b)).to.equal(a.join('\n') === b.join('\n'));
      }),
    );
  });
});
