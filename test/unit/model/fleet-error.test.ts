import { expect } from 'chai';

import { errorCodes } from '../../../src/model/error-codes.ts';
import { FleetError, toFleetError } from '../../../src/model/fleet-error.ts';

const origin = { generator: 'web', file: 'apps/web.yaml', document: 1, line: 3, column: 5 };

describe('an error of the fleet', () => {
  it('names its place in Git first (invariant 10)', () => {
    expect(new FleetError('ManifestInvalid', 'no kind', { origin }).describe()).to.equal(
      'apps/web.yaml:3:5: ManifestInvalid: no kind',
    );
    expect(new FleetError('Internal', 'oh').describe()).to.equal('Internal: oh');
  });

  it('has the retry of its code unless it says otherwise', () => {
    expect(new FleetError('Forbidden', 'x').retry).to.equal(errorCodes.Forbidden.retry);
    expect(new FleetError('Forbidden', 'x', { retry: 'soon' }).retry).to.equal('soon');
  });

  it('learns more of its subject, and keeps all else', () => {
    const cause = new Error('deep');
    const first = new FleetError('RateLimited', 'slow down', {
      cause,
      cluster: 'berlin',
      retryAfterMs: 7,
      retry: 'never',
    });
    const more = first.about({ cluster: 'paris', origin });
    expect(more.subject).to.deep.equal({ cluster: 'berlin', origin });
    expect([more.code, more.message, more.cause, more.retryAfterMs, more.retry]).to.deep.equal([
      'RateLimited',
      'slow down',
      cause,
      7,
      'never',
    ]);
  });

  it('is made of anything that was thrown', () => {
    const known = new FleetError('Forbidden', 'x');
    expect(toFleetError(known, { cluster: 'berlin' })).to.deep.include({
      code: 'Forbidden',
      subject: { cluster: 'berlin' },
    });
    const thrown = new TypeError('undefined is no function');
    expect(toFleetError(thrown)).to.deep.include({
      code: 'Internal',
      message: thrown.message,
      cause: thrown,
    });
    expect(toFleetError('text').message).to.equal('text');
  });
});
